// Command oracle answers what the API machinery of Kubernetes itself makes of a write to an object: which
// object comes out, and who owns which of its fields.
//
// It reads one request as JSON from each line of its standard input, and writes one answer for each to its
// standard output, in the same order. A request either defines a kind, which later requests refer to by the
// name given to it, or is a write to an object of such a kind. It ends with its input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// request is one line of input: a definition or a write.
type request struct {
	Define *definition `json:"define,omitempty"`
	Write  *write      `json:"write,omitempty"`
}

// answer is one line of output. Causes are those of a conflict.
type answer struct {
	Object map[string]any      `json:"object,omitempty"`
	Error  string              `json:"error,omitempty"`
	Causes []map[string]string `json:"causes,omitempty"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	writer := bufio.NewWriterSize(out, 1<<20)
	defer writer.Flush()

	kinds := map[string]*kind{}
	encoder := json.NewEncoder(writer)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			reply, failure := respond(line, kinds)
			if failure != nil {
				return failure
			}
			if failure := encoder.Encode(reply); failure != nil {
				return failure
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if reader.Buffered() == 0 {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
	}
}

// respond fails on requests that make no sense; a write that is refused is an answer.
func respond(line []byte, kinds map[string]*kind) (*answer, error) {
	var asked request
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, err
	}
	switch {
	case asked.Define != nil:
		made, err := newKind(asked.Define)
		if err != nil {
			return nil, fmt.Errorf("definition %q: %w", asked.Define.Name, err)
		}
		kinds[asked.Define.Name] = made
		return &answer{}, nil
	case asked.Write != nil:
		of, ok := kinds[asked.Write.Kind]
		if !ok {
			return nil, fmt.Errorf("no definition %q", asked.Write.Kind)
		}
		return of.write(asked.Write)
	}
	return nil, fmt.Errorf("neither a definition nor a write: %s", line)
}
