"""Retrieval for a language model: passages of a web archive, each with a citation that was checked.

    python clients/python/examples/rag.py demo/data-gov-uk-2014.warc.gz "which cookies does the site set"

Run it cell by cell in an editor that knows `# %%`, or whole. The model is yours: `prompt` is what it gets.
"""

# %% Ingest an archive into a folder of this run. With a folder that stays, a second run passes over what was read.
import sys
import tempfile

import lopper

archive, question = sys.argv[1:] or ["demo/data-gov-uk-2014.warc.gz", "which cookies does the site set"]
collection = lopper.Collection(tempfile.mkdtemp(prefix="lopper-rag-"))
report = collection.ingest(archive)
print(f"{report.pages} pages from {archive}\n")

# %% Search: the best passage of each of the best pages. An answer without pages is one, too: say so, do not guess.
answer = collection.search(question, k=4, blocks_per_page=1)
if not answer:
    sys.exit("Nothing in the collection matches.")

# %% Cite: only passages whose text stands in the archived page go to the model.
chunks = []
for page in answer:
    for block in page.blocks:
        citation = collection.cite(block.block_id)
        if citation.is_verified:
            chunks.append((block.passage, citation))

# %% The prompt: numbered passages with their headings, and what the numbers stand for.
passages = "\n\n".join(f"[{number}] {passage}" for number, (passage, _) in enumerate(chunks, 1))
prompt = f"""Answer from the passages alone, and name the numbers of those that you use.
If they do not answer, say so.

{passages}

Question: {question}"""
print(prompt)

# %% The sources, for the reader: a link that marks the passage, and where the archive has it.
print("\nSources:")
for number, (_, citation) in enumerate(chunks, 1):
    source = citation.source
    print(f"[{number}] {citation.title}, captured {citation.captured_at}\n    {citation.link}")
    print(f"    {source.archive} at byte {source.offset_bytes}, HTML {source.digest}")

collection.close()
