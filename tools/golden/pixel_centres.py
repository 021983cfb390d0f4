"""PyPI mediapipe's CPU graph with the crop sampling of the web package, to measure how much of their distance comes from it.

The CPU path takes a model's input pixel i from the source at i/size of the region, counted as a pixel index; the GL path of the web
package takes it at (i+0.5)/size, counted with pixel centres at +0.5. Here each region is moved, for the sampler only, by what makes
both the same; the region that maps landmarks back stays. The move depends on the region's size and turn, so the graph is run several
times, with the moves computed from the regions of the run before. Values are still rounded to 8 bits, and masks are not touched.
"""
import math
import os

from mediapipe.calculators.tensor import image_to_tensor_calculator_pb2 as tensor_options
from mediapipe.calculators.util import rect_transformation_calculator_pb2 as rect_options
from mediapipe.framework import calculator_pb2
from mediapipe.framework.formats import rect_pb2
from mediapipe.python import solution_base
from mediapipe.python._framework_bindings import validated_graph_config

import peer

DETECTOR_REGION = "full_region"
DETECTOR_SIZE = 224
SETTLE_RUNS = 3
OUTPUTS = ["pose_landmarks", "pose_world_landmarks", "left_hand_landmarks", "right_hand_landmarks", "face_landmarks"]


def expanded_graph():
    graph = validated_graph_config.ValidatedGraphConfig()
    graph.initialize(binary_graph_path=os.path.join(str(peer.WHEEL.parent), peer.holistic._BINARYPB_FILE_PATH))
    config = calculator_pb2.CalculatorGraphConfig()
    config.ParseFromString(graph.binary_config)
    return config


def stream_of(streams, tag):
    return next((s.split(":")[-1] for s in streams if s.startswith(tag + ":")), None)


def samplers(config):
    return [n for n in config.node if n.calculator == "ImageToTensorCalculator"]


def add_mover(config, region, move):
    node = config.node.add()
    node.name = region + "__mover"
    node.calculator = "RectTransformationCalculator"
    node.input_stream.extend([f"NORM_RECT:{region}", "IMAGE_SIZE:poselandmarkcpu__image_size"])
    node.output_stream.append(region + "__moved")
    options = node.options.Extensions[rect_options.RectTransformationCalculatorOptions.ext]
    options.shift_x, options.shift_y = move


def keep_matrix(config, sampler):
    """Let a copy of the sampler, with the region that was not moved, give the matrix that maps results back."""
    if not stream_of(sampler.output_stream, "MATRIX"):
        return
    plain = config.node.add()
    plain.CopyFrom(sampler)
    plain.name = sampler.name + "__plain"
    for i, stream in enumerate(plain.output_stream):
        if not stream.startswith("MATRIX:"):
            plain.output_stream[i] = stream + "__plain"
    kept = [s for s in sampler.output_stream if not s.startswith("MATRIX:")]
    del sampler.output_stream[:]
    sampler.output_stream.extend(kept)


def moved_graph(moves):
    """The graph with every sampler's region shifted by moves[stream] = (x, y), in fractions of that region."""
    config = expanded_graph()
    for node in samplers(config):
        region = stream_of(node.input_stream, "NORM_RECT")
        if region is None:
            node.input_stream.append("NORM_RECT:" + DETECTOR_REGION)
            continue
        keep_matrix(config, node)
        index = list(node.input_stream).index("NORM_RECT:" + region)
        node.input_stream[index] += "__moved"
        add_mover(config, region, moves.get(region, (0.0, 0.0)))
    config.input_stream.append("NORM_RECT:" + DETECTOR_REGION)
    return config


def input_size(sampler):
    """Width of the model's (square) input; the face detector has its options in the newer of the two places."""
    options = tensor_options.ImageToTensorCalculatorOptions()
    if not (sampler.node_options and sampler.node_options[0].Unpack(options)):
        options = sampler.options.Extensions[tensor_options.ImageToTensorCalculatorOptions.ext]
    return options.output_tensor_width


def move_of(rect, width, size):
    """Half a model pixel along the region's own axes, less half a picture pixel along the picture's."""
    c, s, region_px = math.cos(rect.rotation), math.sin(rect.rotation), rect.width * width
    return 0.5 / size - 0.5 * (c + s) / region_px, 0.5 / size - 0.5 * (c - s) / region_px


def track(rgb, options):
    """(run, None) of one picture, as peer.track."""
    height, width = rgb.shape[:2]
    pad = 0.5 * max(width, height) / DETECTOR_SIZE - 0.5
    full = rect_pb2.NormalizedRect(x_center=0.5 + pad / width, y_center=0.5 + pad / height, width=1, height=1)
    sizes = {stream_of(n.input_stream, "NORM_RECT"): input_size(n) for n in samplers(expanded_graph())}
    side_inputs = {"model_complexity": options["model_complexity"], "refine_face_landmarks": options["refine_face_landmarks"],
                   "smooth_landmarks": False, "enable_segmentation": False, "smooth_segmentation": False, "use_prev_landmarks": False}
    moves = {}
    for _ in range(SETTLE_RUNS):
        graph = solution_base.SolutionBase(graph_config=moved_graph(moves), side_inputs=side_inputs,
                                           outputs=[*OUTPUTS, *peer.REGIONS.values()])
        found = graph.process({"image": rgb, DETECTOR_REGION: full})
        graph.close()
        rects = {r: getattr(found, r) for r in peer.REGIONS.values()}
        moves = {r: move_of(rect, width, sizes[r]) for r, rect in rects.items() if rect}
    return peer.run_of(found), None
