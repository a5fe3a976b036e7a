package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	apiservercel "k8s.io/apiserver/pkg/cel"
)

// shown tells a value as an object of one member: the name of its type, and itself.
func shown(value ref.Val) any {
	switch v := value.(type) {
	case types.Bool:
		return tagged("bool", bool(v))
	case types.Int:
		return tagged("int", strconv.FormatInt(int64(v), 10))
	case types.Uint:
		return tagged("uint", strconv.FormatUint(uint64(v), 10))
	case types.Double:
		return tagged("double", strconv.FormatFloat(float64(v), 'g', -1, 64))
	case types.String:
		return tagged("string", string(v))
	case types.Bytes:
		return tagged("bytes", base64.StdEncoding.EncodeToString(v))
	case types.Null:
		return tagged("null", true)
	case types.Timestamp:
		return tagged("timestamp", v.Time.UTC().Format(time.RFC3339Nano))
	case types.Duration:
		return tagged("duration", strconv.FormatInt(v.Duration.Nanoseconds(), 10))
	case *types.Type:
		return tagged("type", v.TypeName())
	case *types.Optional:
		if !v.HasValue() {
			return tagged("optional", nil)
		}
		return tagged("optional", shown(v.GetValue()))
	case apiservercel.Quantity:
		return tagged(v.Type().TypeName(), v.Quantity.String())
	case traits.Mapper:
		return shownMap(v)
	case traits.Lister:
		return shownList(v)
	}
	return tagged(value.Type().TypeName(), fmt.Sprint(value.Value()))
}

func tagged(name string, value any) any {
	return map[string]any{name: value}
}

func shownList(list traits.Lister) any {
	elements := []any{}
	for each := list.Iterator(); each.HasNext() == types.True; {
		elements = append(elements, shown(each.Next()))
	}
	return tagged("list", elements)
}

// shownMap has the entries as pairs, in the order of the text of their keys.
func shownMap(mapped traits.Mapper) any {
	entries := [][2]any{}
	for each := mapped.Iterator(); each.HasNext() == types.True; {
		key := each.Next()
		entries = append(entries, [2]any{shown(key), shown(mapped.Get(key))})
	}
	sort.Slice(entries, func(i, j int) bool { return text(entries[i][0]) < text(entries[j][0]) })
	return tagged("map", entries)
}

func text(value any) string {
	made, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(made)
}
