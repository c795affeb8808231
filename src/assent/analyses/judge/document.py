"""Judges beside people as a document."""
from __future__ import annotations
from assent.documents.blocks import Document
def document_of(found):
    return Document("x",[])
