"""Pictures made for the system tests, with the standard library only."""
import struct
import zlib


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows=None):
    """A grey 8-bit PNG; without rows, only the claim of a size with a few bytes of data."""
    data = zlib.compress(rows) if rows is not None else zlib.compress(b"\0" * 1000)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            png_chunk(b"IDAT", data) + png_chunk(b"IEND", b""))
