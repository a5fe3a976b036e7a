package main

import apiservercel "k8s.io/apiserver/pkg/cel"

// declared is what expressions know of a value by its schema.
type declared struct {
	Type    string               `json:"type"`
	Least   int64                `json:"least"`
	Most    int64                `json:"most"`
	Fields  map[string]*declared `json:"fields,omitempty"`
	Key     *declared            `json:"key,omitempty"`
	Element *declared            `json:"element,omitempty"`
}

func describe(known *apiservercel.DeclType) *declared {
	if known == nil {
		return nil
	}
	told := &declared{Type: known.CelType().String(), Least: known.MinSerializedSize, Most: known.MaxElements}
	if known.IsObject() {
		told.Type = "object"
		told.Fields = map[string]*declared{}
		for name, field := range known.Fields {
			told.Fields[name] = describe(field.Type)
		}
	}
	if known.ElemType != nil {
		told.Type = known.TypeName()
		told.Element = describe(known.ElemType)
	}
	if known.KeyType != nil {
		told.Key = describe(known.KeyType)
	}
	return told
}
