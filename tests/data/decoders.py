"""Drafts of decoders that a table or `sparse_decoder` describes."""


def decoder_family(draft):
    return None
