import { EventStream } from "../api/event_stream";
import type { Problem } from "../api/problem";
import type { ServiceEvent, ServiceStatus } from "../api/status";
import { byId, make, setText } from "../base/dom";
import { EventHistory } from "../base/event_history";
import { count, duration, megabytes, milliseconds, plural } from "../base/format";
import { levels } from "../base/levels";
import { Rate } from "../base/rate";
import { MemoryPanel } from "./memory_panel";
import { StatusPoll } from "./status_poll";

const shownEvents = 50;
const causes: readonly (readonly [string, string])[] = [
  ["recycled", "recycled"], ["crashed", "crashed"], ["hung", "hung"], ["over_budget", "over budget"],
  ["leak", "leaked"], ["garbage", "answered nonsense"],
];

// How the service holds out: memory, rates, restarts, alarms, events. Asks only while it is seen.
export class Endurance {
  private readonly memory = new MemoryPanel();
  private readonly events = new EventHistory(shownEvents);
  private readonly rate = new Rate(6);
  private readonly stream = new EventStream((event) => this.addEvents([event]));
  private readonly poll = new StatusPoll((status) => this.show(status), (problem) => this.away(problem));
  private lastUptime = 0;

  constructor() {
    for (const { name, meaning } of levels) {
      const step = make("li", "", name);
      step.title = meaning;
      byId("levels").append(step);
    }
    const follow = (): void => (document.hidden ? this.stop() : this.start());
    document.addEventListener("visibilitychange", follow);
    follow();
  }

  redraw(): void {
    this.memory.draw();
  }

  private start(): void {
    this.poll.start();
    this.stream.start();
  }

  private stop(): void {
    this.poll.stop();
    this.stream.stop();
  }

  private show(status: ServiceStatus): void {
    if (status.uptime_s < this.lastUptime) this.events.clear(); // it was started anew
    this.lastUptime = status.uptime_s;
    const workers = status.processes.filter(({ role }) => role === "worker");
    byId("service").dataset["state"] = "ok";
    setText(byId("service-text"), `${plural(workers.length, "worker")} · ${megabytes(status.memory.service_pss_bytes)}`);
    this.showTraffic(status);
    this.showHealth(status);
    this.memory.show(status);
    this.addEvents(status.events ?? []);
  }

  private showTraffic(status: ServiceStatus): void {
    const { totals, latency_ms: latency, queue } = status;
    setText(byId("uptime"), `up ${duration(status.uptime_s)}`);
    setText(byId("rate"), this.rate.add(status.uptime_s, totals.requests).toFixed(1));
    setText(byId("rate-note"), `${count(totals.requests)} in all, ${count(totals.failed)} failed`);
    setText(byId("p50"), latency ? milliseconds(latency.p50) : "–");
    setText(byId("p99"), `p99 ${latency ? milliseconds(latency.p99) : "–"}${queue?.length ? `, ${queue.length} waiting` : ""}`);
    const budget = status.memory.budget_bytes;
    setText(byId("memory-now"), megabytes(status.memory.service_pss_bytes));
    setText(byId("memory-budget"), budget ? `of ${megabytes(budget)}` : "all processes together");
  }

  private showHealth({ totals, memory }: ServiceStatus): void {
    const exits = causes.map(([key, name]) => ({ name, times: totals.worker_exits[key] ?? 0 }));
    const all = exits.reduce((sum, { times }) => sum + times, 0);
    setText(byId("restarts"), count(all));
    const why = exits.filter(({ times }) => times > 0).map(({ name, times }) => `${count(times)} ${name}`);
    setText(byId("restarts-note"), why.join(", ") || "no worker was replaced");
    setText(byId("alarms"), count(totals.leak_alarms));
    const at = levels.findIndex(({ name }) => name === memory.level);
    setText(byId("level"), memory.level);
    setText(byId("level-note"), levels[at]?.meaning ?? "");
    [...byId("levels").children].forEach((step, i) => {
      step.classList.toggle("reached", i <= at);
      if (i === at) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
  }

  private addEvents(come: readonly ServiceEvent[]): void {
    if (!this.events.add(come)) return;
    const rows = this.events.newestFirst.map(({ uptime_s, text }) => {
      const row = make("li");
      row.append(make("time", "", duration(uptime_s)), make("span", "", text));
      return row;
    });
    byId("events").replaceChildren(...rows);
    byId("events-empty").hidden = rows.length > 0;
  }

  private away(problem: Problem): void {
    byId("service").dataset["state"] = "away";
    setText(byId("service-text"), problem.status === 401 ? "needs a token" : "not reached");
  }
}
