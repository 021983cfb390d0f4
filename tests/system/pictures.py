"""Pictures made for the system tests, with the standard library only."""
import pathlib
import struct
import zlib


def png_chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(width, height, rows=None):
    """A grey 8-bit PNG; without rows, only the claim of a size with a few bytes of data."""
    data = zlib.compress(rows) if rows is not None else zlib.compress(b"\0" * 1000)
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            png_chunk(b"IDAT", data) + png_chunk(b"IEND", b""))


def read_png(path):
    """(width, height, rows of bytes) of an 8-bit RGB PNG that is not interlaced."""
    data = pathlib.Path(path).read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if name == b"IHDR":
            width, height, depth, colors, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert (depth, colors, interlaced) == (8, 2, 0), path
        packed += body if name == b"IDAT" else b""
        at += 12 + length
    raw, stride = zlib.decompress(packed), 3 * width
    rows, above = [], bytes(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride):
            left, corner = (line[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]) & 255
        rows.append(bytes(line))
        above = line
    return width, height, rows


def paeth(left, above, corner):
    estimate = left + above - corner
    return min((left, above, corner), key=lambda one: abs(estimate - one))
