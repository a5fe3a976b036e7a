package main

import (
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

var simple = map[string]*cel.Type{
	"any":       cel.AnyType,
	"bool":      cel.BoolType,
	"bytes":     cel.BytesType,
	"double":    cel.DoubleType,
	"duration":  cel.DurationType,
	"dyn":       cel.DynType,
	"int":       cel.IntType,
	"null":      cel.NullType,
	"string":    cel.StringType,
	"timestamp": cel.TimestampType,
	"uint":      cel.UintType,
	"type":      cel.TypeType,
	"quantity":  apiservercel.QuantityType,
}

// readType reads a type as messages tell it: `list(int)`, `map(string, dyn)`, `optional_type(int)`.
func readType(text string) (*cel.Type, error) {
	text = strings.TrimSpace(text)
	name, rest, composed := strings.Cut(text, "(")
	if !composed {
		if found, known := simple[name]; known {
			return found, nil
		}
		return cel.OpaqueType(name), nil
	}
	inner, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return nil, fmt.Errorf("%q is not closed", text)
	}
	var parameters []*cel.Type
	for _, part := range split(inner) {
		parameter, err := readType(part)
		if err != nil {
			return nil, err
		}
		parameters = append(parameters, parameter)
	}
	switch {
	case name == "list" && len(parameters) == 1:
		return cel.ListType(parameters[0]), nil
	case name == "map" && len(parameters) == 2:
		return cel.MapType(parameters[0], parameters[1]), nil
	case name == "type" && len(parameters) == 1:
		return types.NewTypeTypeWithParam(parameters[0]), nil
	}
	return cel.OpaqueType(name, parameters...), nil
}

// split parts at the commas that are in no parentheses.
func split(text string) []string {
	var parts []string
	depth, start := 0, 0
	for at, char := range text {
		switch {
		case char == '(':
			depth++
		case char == ')':
			depth--
		case char == ',' && depth == 0:
			parts = append(parts, text[start:at])
			start = at + 1
		}
	}
	return append(parts, text[start:])
}
