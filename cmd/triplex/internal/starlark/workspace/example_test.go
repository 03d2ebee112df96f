package workspace_test

import (
	"context"
	"fmt"

	"triplex/cmd/triplex/internal/starlark/workspace"
)

func Example() {
	w := workspace.New()
	editor, err := w.View(workspace.Options{Predeclared: []string{"glob(include) -> list"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	editor.Open("untitled:1", "srcs = glob()\nprint(src)\n")

	// Another view, such as an agent's, sees what the editor has not saved.
	agent, _ := w.View(workspace.Options{Predeclared: []string{"glob(include) -> list"}})
	file, err := agent.File("untitled:1")
	if err != nil {
		fmt.Println(err)
		return
	}
	problems, _ := file.Problems(context.Background())
	for _, p := range problems {
		pos := file.Text().Position(p.Span.Start)
		fmt.Printf("%d:%d %s\n", pos.Line+1, pos.Col+1, p.Msg)
	}
	fmt.Println(file.Hover(0).Code)
	// Output:
	// 1:8 glob needs the argument include
	// 2:7 undefined: src (did you mean srcs?)
	// srcs: list
}
