"""Makes of the service's own description one that is stricter, and knows real pages: prepare.py ADDRESS > openapi.json

Stricter: objects of answers have no fields but those that are described, so a field that is not is a failure. The
published one is open, since fields may be added.
"""

import json
import sys
from urllib.parse import urlencode
from urllib.request import urlopen

ADDRESS = sys.argv[1]


def get(path, **query):
    with urlopen(f"{ADDRESS}{path}?{urlencode(query)}") as answer:
        return json.load(answer)


def close(schema):
    """Closes the objects of a schema."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        schema = schema.values()
    if not isinstance(schema, (str, int, float, bool, type(None))):
        for part in schema:
            close(part)


def with_examples(document, examples):
    """Gives parameters of these names values that are there."""
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation["parameters"]:
                if found := examples.get(parameter["name"]):
                    parameter["examples"] = {str(n): {"value": value} for n, value in enumerate(found)}


def main():
    document = get("/v1/openapi.json")
    close(document["components"]["schemas"])
    pages = get("/v1/search", q="data", pages=3)["pages"]
    archives = get("/v1/archives")["archives"]
    with_examples(document, {
        "id": [page["page_id"] for page in pages],
        "block_id": [page["blocks"][0]["block_id"] for page in pages],
        "like": [pages[0]["blocks"][0]["block_id"]],
        "url": [pages[0]["url"]],
        "q": ["data"],
        "number": [1],
    })
    # There the id is an archive's.
    records = document["paths"]["/v1/archives/{id}/records"]["get"]["parameters"]
    records[0]["examples"] = {"0": {"value": archives[0]["id"]}}
    json.dump(document, sys.stdout, indent=1)


main()
