package main

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// health is what Argo CD shows of an object.
type health struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

// libraries are all that a health check of a user has, unless it is configured with useOpenLibs.
var libraries = []struct {
	name string
	open lua.LGFunction
}{
	{lua.LoadLibName, lua.OpenPackage},
	{lua.BaseLibName, lua.OpenBase},
	{lua.TabLibName, lua.OpenTable},
}

// healthOf runs a health check as Argo CD does. An object that is being deleted is not shown to the check.
func healthOf(obj *unstructured.Unstructured, check string) (health, error) {
	if obj.GetDeletionTimestamp() != nil {
		return health{"Progressing", "Pending deletion"}, nil
	}
	state := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer state.Close()
	for _, each := range libraries {
		function := state.NewFunction(each.open)
		if err := state.CallByParam(lua.P{Fn: function, Protect: true}, lua.LString(each.name)); err != nil {
			return health{}, err
		}
	}
	state.SetGlobal("obj", valueOf(state, obj.Object))
	if err := state.DoString(check); err != nil {
		return health{}, err
	}
	table, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return health{}, fmt.Errorf("the health check returned %s, and not a table", state.Get(-1).Type())
	}
	return health{lua.LVAsString(table.RawGetString("status")), lua.LVAsString(table.RawGetString("message"))}, nil
}

// valueOf is a part of an object as Lua sees it; a null is nil, which no table holds.
func valueOf(state *lua.LState, value any) lua.LValue {
	switch found := value.(type) {
	case bool:
		return lua.LBool(found)
	case int64:
		return lua.LNumber(found)
	case float64:
		return lua.LNumber(found)
	case string:
		return lua.LString(found)
	case []any:
		list := state.CreateTable(len(found), 0)
		for _, each := range found {
			list.Append(valueOf(state, each))
		}
		return list
	case map[string]any:
		table := state.CreateTable(0, len(found))
		for name, each := range found {
			table.RawSetString(name, valueOf(state, each))
		}
		return table
	}
	return lua.LNil
}
