import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { loadWords } from "./lib/words.svelte";

await loadWords("page", "core");
mount(App, { target: document.getElementById("app")! });
