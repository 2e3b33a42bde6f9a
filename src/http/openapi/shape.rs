//! What values look like, as JSON schemas.

use serde_json::{Map, Number, Value, json};

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) enum Shape {
    Text,
    /// A text that matches a regular expression.
    Like(&'static str),
    /// An address of the web.
    Url,
    /// A time, RFC 3339.
    Time,
    OneOf(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A whole number, from 0.
    Count,
    /// A whole number from the first to the second.
    From(u64, u64),
    Number,
    /// A number from 0 to 1.
    Share,
    /// An object of which nothing more is said here.
    Object,
    List(&'static Shape),
    /// A list of at most so many.
    Few(&'static Shape, u64),
    /// An object with any names, and such values.
    Map(&'static Shape),
    /// What goes by this name among the schemas.
    Named(&'static str),
    OrNull(&'static Shape),
    Either(&'static [Shape]),
}

impl Shape {
    /// The JSON schema.
    pub(super) fn schema(&self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Like(pattern) => json!({"type": "string", "pattern": pattern}),
            Self::Url => json!({"type": "string", "format": "uri"}),
            Self::Time => json!({"type": "string", "format": "date-time"}),
            Self::OneOf(names) => json!({"type": "string", "enum": names}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Count => json!({"type": "integer", "minimum": 0}),
            Self::From(min, max) => json!({"type": "integer", "minimum": min, "maximum": max}),
            Self::Number => json!({"type": "number"}),
            Self::Share => json!({"type": "number", "minimum": 0, "maximum": 1}),
            Self::Object => json!({"type": "object"}),
            Self::List(item) => json!({"type": "array", "items": item.schema()}),
            Self::Few(item, max) => json!({"type": "array", "items": item.schema(), "maxItems": max}),
            Self::Map(value) => json!({"type": "object", "additionalProperties": value.schema()}),
            Self::Named(name) => json!({"$ref": format!("#/components/schemas/{name}")}),
            Self::OrNull(shape) => or_null(shape.schema()),
            Self::Either(shapes) => json!({"anyOf": shapes.iter().map(Self::schema).collect::<Vec<_>>()}),
        }
    }

    /// A value of a JSON body as it is read from an address; `None` where it is not of this type.
    pub(in crate::http) fn text_of(&self, value: &Value) -> Option<String> {
        match self {
            Self::Flag => value.as_bool().map(|flag| flag.to_string()),
            Self::Count | Self::From(..) => value.as_number().and_then(whole),
            Self::Number | Self::Share => value.as_number().map(Number::to_string),
            _ => value.as_str().map(str::to_owned),
        }
    }

    /// What a value must be, in words.
    pub(in crate::http) fn kind(&self) -> &'static str {
        match self {
            Self::Flag => "`true` or `false`",
            Self::Count | Self::From(..) => "a whole number",
            Self::Number | Self::Share => "a number",
            _ => "text",
        }
    }

    /// The JSON schema, with what it means.
    pub(super) fn described(&self, meaning: &str) -> Value {
        let mut schema = self.schema();
        if !meaning.is_empty() {
            schema["description"] = meaning.into();
        }
        schema
    }
}

/// A whole number, however it is written: `1.0` is one.
fn whole(number: &Number) -> Option<String> {
    let is_whole = |value: &f64| value.fract() == 0.0 && value.abs() < 1e15;
    let written = || number.as_f64().filter(is_whole).map(|value| format!("{value:.0}"));
    number.as_u64().map(|number| number.to_string()).or_else(written)
}

/// The same, or `null`.
pub(super) fn or_null(schema: Value) -> Value {
    let kind = schema["type"].clone();
    let has_values = schema["enum"].is_array();
    match schema {
        Value::Object(mut own) if kind.is_string() && !has_values => {
            own.insert("type".to_owned(), json!([kind, "null"]));
            own.into()
        }
        other => json!({"anyOf": [other, {"type": "null"}]}),
    }
}

/// A field of an object.
#[derive(Debug, Clone, Copy)]
pub(in crate::http) struct Field {
    pub(in crate::http) name: &'static str,
    pub(in crate::http) shape: Shape,
    pub(in crate::http) is_required: bool,
    pub(in crate::http) meaning: &'static str,
}

/// A field that is always there.
pub(super) const fn field(name: &'static str, shape: Shape, meaning: &'static str) -> Field {
    Field { name, shape, is_required: true, meaning }
}

/// A field that may be left out.
pub(super) const fn maybe(name: &'static str, shape: Shape, meaning: &'static str) -> Field {
    Field { name, shape, is_required: false, meaning }
}

/// An object that has a name among the schemas.
#[derive(Debug)]
pub(in crate::http) struct Schema {
    pub(in crate::http) name: &'static str,
    pub(in crate::http) meaning: &'static str,
    /// Its fields, in parts that it may share with others.
    pub(in crate::http) fields: &'static [&'static [Field]],
}

impl Schema {
    /// The JSON schema. Objects may get more fields in later versions.
    pub(super) fn schema(&self) -> Value {
        object(self.fields.iter().copied().flatten().copied(), self.meaning)
    }
}

/// The JSON schema of an object.
pub(super) fn object(fields: impl Iterator<Item = Field> + Clone, meaning: &str) -> Value {
    let properties = fields.clone().map(|field| (field.name.to_owned(), field.shape.described(field.meaning)));
    let required: Vec<&str> = fields.filter(|field| field.is_required).map(|field| field.name).collect();
    let mut schema = json!({"type": "object", "properties": properties.collect::<Map<_, _>>(), "required": required});
    if !meaning.is_empty() {
        schema["description"] = meaning.into();
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_is_another_type() {
        assert_eq!(Shape::OrNull(&Shape::Text).schema(), json!({"type": ["string", "null"]}));
        let named = Shape::OrNull(&Shape::Named("A")).schema();
        assert_eq!(named, json!({"anyOf": [{"$ref": "#/components/schemas/A"}, {"type": "null"}]}));
        let chosen = Shape::OrNull(&Shape::OneOf(&["a"])).schema();
        assert_eq!(chosen["anyOf"][1], json!({"type": "null"}));
    }

    #[test]
    fn objects_name_their_fields_and_those_that_are_always_there() {
        let fields = [field("a", Shape::From(1, 9), "First."), maybe("b", Shape::List(&Shape::Text), "")];
        let schema = object(fields.into_iter(), "");
        assert_eq!(schema["required"], json!(["a"]));
        assert_eq!(
            schema["properties"]["a"],
            json!({"type": "integer", "minimum": 1, "maximum": 9, "description": "First."})
        );
        assert_eq!(schema["properties"]["b"], json!({"type": "array", "items": {"type": "string"}}));
    }
}
