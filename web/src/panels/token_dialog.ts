import { setToken, token } from "../api/token";
import { byId } from "../base/dom";

let open: Promise<boolean> | null = null;

function show(): Promise<boolean> {
  const dialog = byId<HTMLDialogElement>("token-dialog");
  const input = byId<HTMLInputElement>("token-input");
  byId("token-wrong").hidden = token() === "";
  input.value = "";
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      const given = dialog.returnValue === "ok" && input.value.trim() !== "";
      if (given) setToken(input.value.trim());
      input.value = "";
      open = null;
      resolve(given);
    }, { once: true });
  });
}

// Asks for the service's token; once, however many requests wait for it.
export function askForToken(): Promise<boolean> {
  open ??= show();
  return open;
}
