module example.com/total

go 1.26
