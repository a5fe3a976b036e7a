// Command template prints what the hash of a pod template rests on: the fields of each struct that is part of
// one, in the order of the Go types, and what other named types are made of. It reads the types by reflection.
//
// The output is one JSON object: the structs, each a list of [Go name, JSON name, type], where an embedded
// struct has no JSON name; and the other names, each with the type that it stands for.
package main

import (
	"encoding/json"
	"log"
	"os"
	"reflect"
	"strings"

	core "k8s.io/api/core/v1"
)

type collector struct {
	Structs map[string][][3]string `json:"structs"`
	Names   map[string]string      `json:"names"`
	seen    map[string]reflect.Type
}

func main() {
	found := collector{map[string][][3]string{}, map[string]string{}, map[string]reflect.Type{}}
	found.visit(reflect.TypeFor[core.PodTemplateSpec]())
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		log.Fatal(err)
	}
}

// visit collects a type and everything that it is made of.
func (c collector) visit(t reflect.Type) {
	name := t.String()
	if known, ok := c.seen[name]; ok {
		if known != t {
			log.Fatalf("%v and %v are both printed as %s", known.PkgPath(), t.PkgPath(), name)
		}
		return
	}
	c.seen[name] = t
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		c.visit(t.Elem())
		return
	case reflect.Map:
		c.visit(t.Elem())
		if t.Name() != "" {
			c.Names[name] = "map[" + t.Key().String() + "]" + t.Elem().String()
		}
		return
	case reflect.Struct:
		c.visitFields(t)
	default:
		c.Names[name] = t.Kind().String()
	}
}

// visitFields collects a struct.
func (c collector) visitFields(t reflect.Type) {
	if _, own := reflect.New(t).Interface().(json.Unmarshaler); own {
		return // its JSON is not its fields
	}
	fields := [][3]string{}
	for i := range t.NumField() {
		field := t.Field(i)
		json, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		fields = append(fields, [3]string{field.Name, json, field.Type.String()})
		c.visit(field.Type)
	}
	c.Structs[t.String()] = fields
}
