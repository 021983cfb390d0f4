"""A small reader of BVH files, for the tests: the skeleton, its frames, and where each joint is in one of them."""
import math


class Joint:
    def __init__(self, name, parent):
        self.name, self.parent, self.offset, self.channels, self.first = name, parent, (0, 0, 0), [], 0


def read(text):
    """Joints in the file's order (an end site is named NAME.end), frames (lists of numbers) and the frame time."""
    words = iter(text.split())
    joints, stack, channels = [], [], 0
    for word in words:
        if word in ("ROOT", "JOINT"):
            joints.append(Joint(next(words), stack[-1] if stack else None))
        elif word == "End":
            next(words)
            joints.append(Joint(stack[-1].name + ".end", stack[-1]))
        elif word == "{":
            stack.append(joints[-1])
        elif word == "}":
            stack.pop()
        elif word == "OFFSET":
            stack[-1].offset = tuple(float(next(words)) for _ in range(3))
        elif word == "CHANNELS":
            count = int(next(words))
            stack[-1].channels, stack[-1].first = [next(words) for _ in range(count)], channels
            channels += count
        elif word == "MOTION":
            break
    assert next(words) == "Frames:"
    count = int(next(words))
    assert (next(words), next(words)) == ("Frame", "Time:")
    step = float(next(words))
    numbers = [float(word) for word in words]
    assert len(numbers) == count * channels, (len(numbers), count, channels)
    return joints, [numbers[i * channels:(i + 1) * channels] for i in range(count)], step


def _times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _apply(m, v):
    return [sum(m[i][k] * v[k] for k in range(3)) for i in range(3)]


def _turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return {"X": [[1, 0, 0], [0, c, -s], [0, s, c]], "Y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
            "Z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]


def places(joints, frame):
    """Where each joint is, by name (forward kinematics)."""
    turned, placed = {}, {}
    for joint in joints:
        turn, move = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], list(joint.offset)
        for i, channel in enumerate(joint.channels):
            value = frame[joint.first + i]
            if channel.endswith("position"):
                move["XYZ".index(channel[0])] += value
            else:
                turn = _times(turn, _turn(channel[0], value))
        if joint.parent is None:
            turned[joint.name], placed[joint.name] = turn, move
        else:
            parent = joint.parent.name
            placed[joint.name] = [a + b for a, b in zip(placed[parent], _apply(turned[parent], move))]
            turned[joint.name] = _times(turned[parent], turn)
    return placed


def svg(joints, placed, width, height):
    """The skeleton seen from the front, lines from joint to joint."""
    xs, ys = [p[0] for p in placed.values()], [p[1] for p in placed.values()]
    scale = 0.9 * min(width / (max(xs) - min(xs)), height / (max(ys) - min(ys)))
    def at(name):
        return (width / 2 + scale * (placed[name][0] - (max(xs) + min(xs)) / 2),
                height / 2 - scale * (placed[name][1] - (max(ys) + min(ys)) / 2))
    lines = []
    for joint in joints:
        if joint.parent is not None:
            (x, y), (u, v) = at(joint.name), at(joint.parent.name)
            colour = "#c2410c" if joint.name.startswith("Left") else "#1d4ed8" if joint.name.startswith("Right") else "#333"
            lines.append(f'<line x1="{u:.1f}" y1="{v:.1f}" x2="{x:.1f}" y2="{y:.1f}" stroke="{colour}"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" stroke-width="3" '
            f'stroke-linecap="round"><rect width="100%" height="100%" fill="#fff"/>' + "".join(lines) + "</svg>\n")
