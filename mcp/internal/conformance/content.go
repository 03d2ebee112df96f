package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type (
	toolRequest = sdk.CallToolRequest
	toolResult  = sdk.CallToolResult
	// noArguments is what most tools of the scenarios take.
	noArguments struct{}
)

func text(s string) *sdk.TextContent { return &sdk.TextContent{Text: s} }

func result(content ...sdk.Content) *toolResult { return &toolResult{Content: content} }

// addConstant adds a tool that always has the same result.
func addConstant(server *sdk.Server, name, description string, content ...sdk.Content) {
	sdk.AddTool(server, &sdk.Tool{Name: name, Description: description},
		func(context.Context, *toolRequest, noArguments) (*toolResult, any, error) {
			return result(content...), nil, nil
		})
}

// addContentTools adds a tool for each kind of content, and one that fails.
func addContentTools(server *sdk.Server) {
	addConstant(server, "test_simple_text", "Returns text.",
		text("This is a simple text response for testing."))
	addConstant(server, "test_image_content", "Returns an image.", picture())
	addConstant(server, "test_audio_content", "Returns a sound.",
		&sdk.AudioContent{Data: silence(), MIMEType: "audio/wav"})
	addConstant(server, "test_embedded_resource", "Returns a resource.",
		embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))
	addConstant(server, "test_multiple_content_types", "Returns text, an image and a resource.",
		text("Multiple content types test:"), picture(),
		embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`))
	sdk.AddTool(server, &sdk.Tool{Name: "test_error_handling", Description: "Fails."},
		func(context.Context, *toolRequest, noArguments) (*toolResult, any, error) {
			return nil, nil, errors.New("the tool fails, as it is meant to")
		})
}

func embedded(uri, mimeType, content string) *sdk.EmbeddedResource {
	return &sdk.EmbeddedResource{
		Resource: &sdk.ResourceContents{URI: uri, MIMEType: mimeType, Text: content},
	}
}

func picture() *sdk.ImageContent {
	return &sdk.ImageContent{Data: redDot(), MIMEType: "image/png"}
}

// redDot returns a PNG file of one pixel.
func redDot() []byte {
	dot := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.RGBA{R: 255, A: 255}})
	var file bytes.Buffer
	if err := png.Encode(&file, dot); err != nil {
		panic(err) // a buffer takes everything
	}
	return file.Bytes()
}

// silence returns a WAV file of one sample, 8 kHz, mono, 8 bits.
func silence() []byte {
	const header, rate = 36, 8000
	file := []byte("RIFF")
	file = binary.LittleEndian.AppendUint32(file, header+1)
	file = append(file, "WAVEfmt "...)
	file = binary.LittleEndian.AppendUint32(file, 16) // the bytes of the format that follow
	for _, half := range []uint16{1, 1, rate, 0, rate, 0, 1, 8} {
		file = binary.LittleEndian.AppendUint16(file, half)
	}
	file = append(file, "data"...)
	file = binary.LittleEndian.AppendUint32(file, 1)
	return append(file, 128)
}
