"""PyPI mediapipe's legacy holistic solution, with chosen model files and without touching the installed wheel."""
import hashlib
import importlib
import pathlib

from mediapipe.python import solution_base
from mediapipe.python.solutions import holistic

DECIMALS = 7  # of a fraction of the width: far below a thousandth of a pixel
PRESUMED_FRAME_US = 33333  # what the Python API adds to its clock at each call
WHEEL = pathlib.Path(solution_base.__file__).resolve().parent.parent  # …/site-packages/mediapipe
LEFT_OUT_OF_WHEEL = {"pose_landmark_lite.tflite", "pose_landmark_heavy.tflite"}
MODEL_FOLDER = {
    "face_detection_short_range.tflite": "face_detection",
    "face_landmark.tflite": "face_landmark",
    "face_landmark_with_attention.tflite": "face_landmark",
    "hand_landmark_full.tflite": "hand_landmark",
    "hand_recrop.tflite": "holistic_landmark",
    "pose_detection.tflite": "pose_detection",
    "pose_landmark_lite.tflite": "pose_landmark",
    "pose_landmark_full.tflite": "pose_landmark",
    "pose_landmark_heavy.tflite": "pose_landmark",
}
REGIONS = {  # what the graph crops for each model, besides the whole picture
    "pose": "poselandmarkcpu__pose_rect",
    "faceFromPose": "facelandmarksfromposecpu__face_roi_from_pose",
    "face": "facelandmarksfromposecpu__face_tracking_roi",
    "leftHandFromPose": "handlandmarksleftandrightcpu__left_hand_roi_from_pose",
    "leftHand": "handlandmarksleftandrightcpu__left_hand_tracking_roi",
    "rightHandFromPose": "handlandmarksleftandrightcpu__right_hand_roi_from_pose",
    "rightHand": "handlandmarksleftandrightcpu__right_hand_tracking_roi",
}


class TracedHolistic(holistic.Holistic):
    """The solution as it is, with the regions among its outputs."""

    def _initialize_graph_interface(self, validated_graph, side_inputs=None, outputs=None, stream_type_hints=None):
        return super()._initialize_graph_interface(validated_graph, side_inputs, [*outputs, *REGIONS.values()], stream_type_hints)


def sha256_of(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def make_overlay(folder, models, stock):
    """Fill `folder` with mediapipe/modules/** of links; returns {model file: sha256} of what the graph will load."""
    for source in (WHEEL / "modules").rglob("*"):
        if source.is_file() and source.suffix in {".tflite", ".binarypb", ".txt"}:
            link = folder / "mediapipe" / "modules" / source.relative_to(WHEEL / "modules")
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(source)
    used = {}
    for name, module in MODEL_FOLDER.items():
        link = folder / "mediapipe" / "modules" / module / name
        if not stock or name in LEFT_OUT_OF_WHEEL:
            link.unlink(missing_ok=True)
            link.symlink_to((models / name).resolve(strict=True))
        used[name] = sha256_of(link)
    return used


def keep_heatmap_options():
    """Let the graph search heatmaps in 7 cells, as it says, before any graph is made.

    The solution rewrites its graph through Python messages, which drop the options of calculators whose messages are not imported. It
    forgets those of the heatmap refinement, so as installed the wheel falls back on that calculator's default of 9 cells.
    """
    importlib.import_module("mediapipe.calculators.util.refine_landmarks_from_heatmap_calculator_pb2")


def use_overlay(folder):
    """Point every graph made from now on at the overlay, and never at the net."""
    set_dir = solution_base.resource_util.set_resource_dir
    solution_base.resource_util.set_resource_dir = lambda _wheel_root: set_dir(str(folder))
    holistic._download_oss_pose_landmark_model = lambda _complexity: None


def rows(landmark_list, with_visibility):
    if not landmark_list:
        return None
    out = []
    for p in landmark_list.landmark:
        row = [p.x, p.y, p.z] + ([p.visibility] if with_visibility else [])
        out.append([round(v, DECIMALS) for v in row])
    return out


def region(rect):
    return [round(v, 9) for v in (rect.x_center, rect.y_center, rect.width, rect.height, rect.rotation)] if rect else None


def run_of(found):
    """The outputs of a graph in the layout of ../shared/media/golden, plus the regions."""
    return {
        "pose": rows(found.pose_landmarks, True),
        "poseWorld": rows(found.pose_world_landmarks, True),
        "face": rows(found.face_landmarks, False),
        "leftHand": rows(found.left_hand_landmarks, False),
        "rightHand": rows(found.right_hand_landmarks, False),
        "regions": {name: region(getattr(found, stream)) for name, stream in REGIONS.items()},
    }


def track(rgb, options):
    """(run, mask or None) of one picture, by a fresh graph."""
    with TracedHolistic(static_image_mode=True, **options) as graph:
        found = graph.process(rgb)
    return run_of(found), found.segmentation_mask


def track_clip(frames, options):
    """Yields the run of each (rgb, timestamp in us) of a clip, by one graph that follows it."""
    with TracedHolistic(static_image_mode=False, **options) as graph:
        for rgb, timestamp_us in frames:
            graph._simulated_timestamp = timestamp_us - PRESUMED_FRAME_US  # process() adds it before use
            yield run_of(graph.process(rgb))
