import samplePicture from "../../assets/demo/upper-hands-up.jpg";
import type { Frame } from "./api/frame";
import { onTokenNeeded } from "./api/request";
import { byId } from "./base/dom";
import { Camera } from "./panels/camera";
import { setUpDownloads } from "./panels/downloads";
import { Endurance } from "./panels/endurance";
import { type Chosen, setUpIntake } from "./panels/intake";
import { onLayersChange } from "./panels/layers_form";
import { chosenOptions, onOptionsChange } from "./panels/options_form";
import { showNumbers, showParts } from "./panels/results";
import { Stage } from "./panels/stage";
import { Still } from "./panels/still";
import { setUpTheme } from "./panels/theme";
import { askForToken } from "./panels/token_dialog";
import { WorldView } from "./panels/world_view";

const stage = new Stage();
const world = new WorldView();
let newest: Frame | null = null;

// Everything that shows what was found.
function found(frame: Frame | null): void {
  newest = frame;
  stage.setFrame(frame);
  showParts(frame);
  showNumbers(frame);
  world.show(frame);
  downloads.update();
}

const still = new Still(stage, found);
const downloads = setUpDownloads(() => still.current);
const camera = new Camera(stage, found, () => void toggleCamera());

function markCamera(): void {
  const button = byId("camera");
  button.setAttribute("aria-pressed", String(camera.running));
  byId("camera-text").textContent = camera.running ? "Stop camera" : "Camera";
  document.body.classList.toggle("live-on", camera.running);
}

function stopCamera(): void {
  camera.stop();
  markCamera();
}

async function showStill(chosen: Chosen): Promise<void> {
  stopCamera();
  await still.show(chosen, chosenOptions());
}

async function showSample(): Promise<void> {
  const response = await fetch(samplePicture);
  await showStill({ picture: await response.blob(), name: "sample" });
}

async function toggleCamera(): Promise<void> {
  if (camera.running) {
    stopCamera(); // at once: the sample may take a while
    await showSample();
    return;
  }
  if (await camera.start(chosenOptions())) still.leave();
  markCamera();
}

// Forms here hold choices; nothing is ever sent by them.
document.addEventListener("submit", (event) => {
  if ((event.target as HTMLFormElement).method !== "dialog") event.preventDefault();
});
onTokenNeeded(askForToken);
setUpIntake((chosen) => void showStill(chosen));
byId("sample").addEventListener("click", () => void showSample());
byId("camera").addEventListener("click", () => void toggleCamera());
onLayersChange(() => stage.redraw());
onOptionsChange((options) => (camera.running ? camera.setOptions(options) : void still.again(options)));
byId("numbers").addEventListener("toggle", () => showNumbers(newest));
const endurance = new Endurance();
setUpTheme(() => {
  stage.redraw();
  world.redraw();
  endurance.redraw();
});
void showSample();
