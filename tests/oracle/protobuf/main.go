// Command protobuf answers how the clients and servers of Kubernetes themselves write an object in protobuf.
//
// It reads one object as JSON from each line of its standard input, and writes a line for each to its standard
// output, in the same order: the object in protobuf, and as JSON again. It ends with its input.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// answer is one line of output; JSON has the bytes in base64.
type answer struct {
	Protobuf []byte         `json:"protobuf"`
	Object   runtime.Object `json:"object"`
}

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "protobuf:", err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	types := scheme.Scheme
	if err := apiextensions.AddToScheme(types); err != nil {
		return err
	}
	encoder := protobuf.NewSerializer(types, types)
	writer := bufio.NewWriter(out)
	defer writer.Flush()

	lines := json.NewDecoder(bufio.NewReader(in))
	answers := json.NewEncoder(writer)
	for {
		var line json.RawMessage
		if err := lines.Decode(&line); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		obj, err := typed(types, line)
		if err != nil {
			return err
		}
		written, err := runtime.Encode(encoder, obj)
		if err != nil {
			return err
		}
		if err := answers.Encode(answer{written, obj}); err != nil {
			return err
		}
	}
}

// typed reads an object into the Go type of its kind.
func typed(types *runtime.Scheme, line []byte) (runtime.Object, error) {
	var meta runtime.TypeMeta
	if err := json.Unmarshal(line, &meta); err != nil {
		return nil, err
	}
	obj, err := types.New(schema.FromAPIVersionAndKind(meta.APIVersion, meta.Kind))
	if err != nil {
		return nil, err
	}
	return obj, json.Unmarshal(line, obj)
}
