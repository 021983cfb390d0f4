// The frame document, schema holostat.frame/1 (docs/frame-json.md).

export type Landmark = readonly number[]; // x, y, z, and of the pose visibility, presence

export interface Mask {
  width: number;
  height: number;
  png: string; // base64, 8-bit grey
}

export interface Person {
  id: number;
  score: number;
  pose_landmarks: readonly Landmark[] | null;
  pose_world_landmarks: readonly Landmark[] | null;
  face_landmarks: readonly Landmark[] | null;
  left_hand_landmarks: readonly Landmark[] | null;
  right_hand_landmarks: readonly Landmark[] | null;
  left_hand_world_landmarks: readonly Landmark[] | null;
  right_hand_world_landmarks: readonly Landmark[] | null;
  left_hand_score: number | null;
  right_hand_score: number | null;
  segmentation: Mask | null;
}

export interface Frame {
  schema: string;
  frame: number;
  timestamp_ms: number;
  image: { width: number; height: number };
  people: readonly Person[];
}

export const poseNames: readonly string[] = [
  "nose", "left eye inner", "left eye", "left eye outer", "right eye inner", "right eye", "right eye outer",
  "left ear", "right ear", "mouth left", "mouth right", "left shoulder", "right shoulder", "left elbow",
  "right elbow", "left wrist", "right wrist", "left pinky", "right pinky", "left index", "right index",
  "left thumb", "right thumb", "left hip", "right hip", "left knee", "right knee", "left ankle", "right ankle",
  "left heel", "right heel", "left foot index", "right foot index",
];
