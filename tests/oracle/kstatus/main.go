// Command kstatus answers how tools that wait for objects see one: Helm and Flux by the rules of kstatus, Argo CD
// by a health check in Lua.
//
// It reads one question as JSON from each line of its standard input, and writes one answer for each to its
// standard output, in the same order. It ends with its input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// question is one line of input: an object as the server has it, and a health check for Argo CD.
type question struct {
	Object *unstructured.Unstructured `json:"object"`
	Check  string                     `json:"check"`
}

// answer is one line of output.
type answer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
	Health  health `json:"health"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "kstatus:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	writer := bufio.NewWriter(out)
	defer writer.Flush()

	questions := json.NewDecoder(bufio.NewReader(in))
	answers := json.NewEncoder(writer)
	for {
		var asked question
		if err := questions.Decode(&asked); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		computed, err := status.Compute(asked.Object)
		if err != nil {
			return err
		}
		found, err := healthOf(asked.Object, asked.Check)
		if err != nil {
			return err
		}
		if err := answers.Encode(answer{computed.Status.String(), computed.Message, found}); err != nil {
			return err
		}
	}
}
