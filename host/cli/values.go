package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// size is a flag of a number of bytes.
type size int

var units = []struct {
	suffix string
	factor int
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}, {"", 1}}

// String returns the size in the largest unit that it is a multiple of.
func (s *size) String() string {
	for _, u := range units {
		if *s != 0 && int(*s)%u.factor == 0 {
			return fmt.Sprintf("%d%s", int(*s)/u.factor, u.suffix)
		}
	}
	return "0"
}

// Set implements pflag.Value.
func (s *size) Set(text string) error {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n < 1 || n > int(^uint(0)>>1)/u.factor {
			break
		}
		*s = size(n * u.factor)
		return nil
	}
	return errors.New("want a number of bytes, as in 65536, 64KiB, 16MiB or 1GiB")
}

// Type is the name of the value in help.
func (s *size) Type() string { return "SIZE" }

// word is a flag of a text that means something only if it is there.
type word string

// String implements pflag.Value.
func (w *word) String() string { return string(*w) }

// Set implements pflag.Value.
func (w *word) Set(text string) error {
	if text == "" {
		return errors.New("it is empty")
	}
	*w = word(text)
	return nil
}

// Type is the name of the value in help.
func (w *word) Type() string { return "TEXT" }

// count is a flag of a positive number.
type count int

// String implements pflag.Value.
func (c *count) String() string { return strconv.Itoa(int(*c)) }

// Set implements pflag.Value.
func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return errors.New("want a whole number from 1 up")
	}
	*c = count(n)
	return nil
}

// Type is the name of the value in help.
func (c *count) Type() string { return "N" }

// span is a flag of a positive duration.
type span time.Duration

// String implements pflag.Value. Without a duration it is empty.
func (s *span) String() string {
	if *s == 0 {
		return ""
	}
	return time.Duration(*s).String()
}

// Set implements pflag.Value.
func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return errors.New("want a duration, as in 500ms, 30s or 5m")
	}
	*s = span(d)
	return nil
}

// Type is the name of the value in help.
func (s *span) Type() string { return "DURATION" }

// restarts is a flag of a number within a time.
type restarts struct {
	number int
	window time.Duration
}

// String implements pflag.Value.
func (r *restarts) String() string {
	if r.number == 0 {
		return "0"
	}
	return fmt.Sprintf("%d/%s", r.number, r.window)
}

// Set implements pflag.Value.
func (r *restarts) Set(text string) error {
	if text == "0" {
		*r = restarts{}
		return nil
	}
	number, window, _ := strings.Cut(text, "/")
	var n count
	var w span
	if n.Set(number) != nil || w.Set(window) != nil {
		return errors.New("want a number and a duration, as in 5/3m, or 0")
	}
	*r = restarts{int(n), time.Duration(w)}
	return nil
}

// Type is the name of the value in help.
func (r *restarts) Type() string { return "N/DURATION" }
