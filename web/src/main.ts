document.documentElement.dataset["ready"] = "true";
