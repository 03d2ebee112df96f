package child_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"triplex/host/mount/child"
)

func TestBudgetSlides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b child.Budget
		for i := range 5 {
			if err := b.Spend(); err != nil {
				t.Fatalf("restart %d: %v", i+1, err)
			}
			time.Sleep(30 * time.Second)
		}
		err := b.Spend()
		if !errors.Is(err, child.ErrBudget) ||
			!strings.Contains(err.Error(), "5 times within 3m0s; try again in 30s") {
			t.Fatalf("sixth restart after 150 s: %v", err)
		}
		time.Sleep(30 * time.Second)
		if err := b.Spend(); err != nil {
			t.Errorf("restart when the first is a window old: %v", err)
		}
		if err := b.Spend(); !errors.Is(err, child.ErrBudget) {
			t.Errorf("a second one at the same time: %v", err)
		}
	})
}

func TestBudgetOptions(t *testing.T) {
	tests := []struct {
		name     string
		restarts int
		want     int
	}{
		{"default", 0, 5},
		{"one", 1, 1},
		{"none", -1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := child.Budget{Restarts: tt.restarts, Window: time.Hour}
			got := 0
			for b.Spend() == nil {
				got++
			}
			if got != tt.want {
				t.Errorf("%d restarts, want %d", got, tt.want)
			}
		})
	}
}
