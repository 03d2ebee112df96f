package main

import "fmt"

// total adds up.
func total(values ...int) (sum int) {
	for _, v := range values {
		sum += v
	}
	return sum
}

func main() {
	fmt.Println(total(1, 2))
}
