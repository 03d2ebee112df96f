// Package lsp is the language server protocol, version 3.18, for plug-ins of the host.
//
// [Documents] mirrors what a client has open. It hands out a [Document] as it is at that moment:
// an immutable [Text] under the URI the client spelled, with positions in the encoding that
// [ChooseEncoding] agreed on. [KeyOf], [Path] and [FileURI] compare and convert URIs.
package lsp
