// Command cel answers what Kubernetes itself makes of an expression in CEL: its type, what it can cost, its
// value and what that did cost.
//
// It reads one question as JSON from each line of its standard input, and writes one answer for each to its
// standard output, in the same order. It ends with its input.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

// question is one line of input. With a schema, `self` and `oldSelf` are values of it, as in a rule of a
// custom resource; without an expression, the question is what expressions know of these values. Other variables have a type and, to be evaluated, an expression that makes their value.
type question struct {
	Expression  string            `json:"expression"`
	Schema      json.RawMessage   `json:"schema,omitempty"`
	Root        bool              `json:"root,omitempty"`
	OptionalOld bool              `json:"optionalOldSelf,omitempty"`
	Variables   map[string]string `json:"variables,omitempty"`
	Values      map[string]string `json:"values,omitempty"`
	Self        json.RawMessage   `json:"self,omitempty"`
	OldSelf     json.RawMessage   `json:"oldSelf,omitempty"`
	Limit       uint64            `json:"limit,omitempty"`
	Validate    bool              `json:"validate,omitempty"`
	Functions   bool              `json:"functions,omitempty"`
}

// answer is one line of output. Error is that of the compiler, Failure that of the evaluation. A value is told
// with its type, since JSON has too few. Rules are the errors of a validation by the rules of a schema.
type answer struct {
	Error     string                `json:"error,omitempty"`
	Type      string                `json:"type,omitempty"`
	Nodes     []node                `json:"nodes,omitempty"`
	Cost      *costRange            `json:"cost,omitempty"`
	Failure   string                `json:"failure,omitempty"`
	Value     any                   `json:"value,omitempty"`
	Actual    *uint64               `json:"actual,omitempty"`
	Rules     []rule                `json:"rules,omitempty"`
	Left      *int64                `json:"left,omitempty"`
	Known     *declared             `json:"declared,omitempty"`
	Functions map[string][]overload `json:"functions,omitempty"`
}

// node is what the checker found of one node of the tree.
type node struct {
	Offset    int32    `json:"offset"`
	Kind      string   `json:"kind"`
	Type      string   `json:"type"`
	Name      string   `json:"name,omitempty"`
	Overloads []string `json:"overloads,omitempty"`
}

type costRange struct {
	Min uint64 `json:"min"`
	Max uint64 `json:"max"`
}

type rule struct {
	Type    string `json:"type"`
	Field   string `json:"field"`
	Message string `json:"message"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "cel:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	reader := bufio.NewReaderSize(in, 1<<20)
	writer := bufio.NewWriterSize(out, 1<<20)
	defer writer.Flush()

	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			if failure := encoder.Encode(respond(line)); failure != nil {
				return failure
			}
			// Whoever asks one thing at a time waits for the answer.
			if reader.Buffered() == 0 {
				if failure := writer.Flush(); failure != nil {
					return failure
				}
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// respond answers one question. A panic, which cel-go has for a few expressions, is an answer too.
func respond(line []byte) (reply *answer) {
	defer func() {
		if failure := recover(); failure != nil {
			reply = &answer{Error: fmt.Sprint("panic: ", failure)}
		}
	}()
	asked := &question{}
	if err := json.Unmarshal(line, asked); err != nil {
		return &answer{Error: "question: " + err.Error()}
	}
	if asked.Functions {
		return list()
	}
	if asked.Validate {
		return validate(asked)
	}
	return compute(asked)
}
