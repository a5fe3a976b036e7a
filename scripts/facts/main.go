// Command facts prints what only the Go types of Kubernetes know about each field of each kind: its Go type,
// whether it is written when it is zero, and its number in protobuf. It reads the types by reflection.
//
// The output is one JSON object: definition name to struct.
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// named is a type that has a definition in the server's OpenAPI documents.
type named interface{ OpenAPIModelName() string }

// fact is what is known about one field, under its JSON name.
type fact struct {
	// Go is the type, followed by the type of its elements where it is a list or a map, and so on.
	Go []string `json:"go"`
	// Keep says that the field is written though it is zero.
	Keep bool `json:"keep,omitempty"`
	// Inside names the embedded structs that the field is in, outside in, as encoding/json does in errors.
	Inside string `json:"inside,omitempty"`
	// Proto is the path of field numbers: more than one where the JSON form inlines what protobuf nests,
	// a single zero where protobuf leaves the field out.
	Proto []int `json:"proto"`
}

type structure struct {
	Struct string          `json:"struct"`
	Fields map[string]fact `json:"fields"`
}

// place is where an embedded struct is: what it is embedded in, and its path in protobuf.
type place struct {
	inside string
	proto  []int
}

type collector map[string]structure

func main() {
	if err := apiextensions.AddToScheme(scheme.Scheme); err != nil {
		log.Fatal(err)
	}
	found := collector{}
	for _, known := range scheme.Scheme.AllKnownTypes() {
		found.visit(known)
	}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}

// visit collects a type and everything that it refers to.
func (c collector) visit(t reflect.Type) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		c.visit(t.Elem())
	case reflect.Struct:
		model, ok := reflect.Zero(t).Interface().(named)
		if !ok {
			return
		}
		name := model.OpenAPIModelName()
		if _, seen := c[name]; seen {
			return
		}
		found := structure{t.Name(), map[string]fact{}}
		c[name] = found
		if _, own := reflect.New(t).Interface().(json.Unmarshaler); own {
			return // its JSON is not its fields
		}
		c.fields(t, place{}, found.Fields)
	}
}

// fields collects the fields of a struct; embedded ones without a name of their own are taken for the
// struct's own, as encoding/json does.
func (c collector) fields(t reflect.Type, above place, into map[string]fact) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || !field.IsExported() {
			continue
		}
		proto := path(above.proto, field)
		if name == "" && field.Anonymous {
			inner := field.Type
			if inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			c.fields(inner, place{above.inside + field.Name + ".", proto}, into)
			continue
		}
		if name == "" {
			name = field.Name
		}
		inside := strings.TrimSuffix(above.inside, ".")
		into[name] = fact{types(field.Type), kept(field.Type, ","+options+","), inside, proto}
		c.visit(field.Type)
	}
}

// types is the type and the types of its elements, outside in.
func types(t reflect.Type) []string {
	found := []string{t.String()}
	inner := t
	if t.Kind() == reflect.Pointer {
		inner = t.Elem()
	}
	if kind := inner.Kind(); kind == reflect.Slice && inner.Elem().Kind() != reflect.Uint8 || kind == reflect.Map {
		found = append(found, types(inner.Elem())...)
	}
	return found
}

// kept says whether encoding/json writes a zero value of the field.
func kept(t reflect.Type, options string) bool {
	if strings.Contains(options, ",omitzero,") {
		return false
	}
	return t.Kind() == reflect.Struct || !strings.Contains(options, ",omitempty,")
}

// outside is the path of what protobuf leaves out, and of everything in it.
var outside = []int{0}

// path is the place of a field in protobuf: the numbers of the fields that lead to it.
func path(above []int, field reflect.StructField) []int {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if slices.Equal(above, outside) || len(parts) < 2 {
		return outside
	}
	number, err := strconv.Atoi(parts[1])
	if err != nil {
		log.Fatalf("%s: %v", field.Name, err)
	}
	return append(slices.Clone(above), number)
}
