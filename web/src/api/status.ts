import { request } from "./request";

// What GET /v1/status answers (docs/status-json.md); what is optional there is here too.
export interface ProcessStatus {
  role: string;
  id: number;
  pid: number;
  state: string;
  generation: number;
  age_s: number;
  requests: number;
  uss_bytes: number;
  pss_bytes: number;
  rss_bytes: number;
  fds: number;
  growth?: string;
}

export interface ServiceEvent {
  uptime_s: number;
  text: string;
}

export interface ServiceStatus {
  uptime_s: number;
  processes: ProcessStatus[];
  totals: {
    requests: number;
    ok: number;
    client_errors: number;
    retried: number;
    failed: number;
    refused?: number;
    worker_exits: Record<string, number>;
    zygote_restarts?: number;
    leak_alarms: number;
  };
  latency_ms?: { p50: number; p99: number; max: number };
  queue?: { length: number; capacity: number };
  memory: { service_pss_bytes: number; budget_bytes: number; level: string };
  recovery_ms?: { p50: number; max: number };
  events?: ServiceEvent[];
}

export async function fetchStatus(signal: AbortSignal): Promise<ServiceStatus> {
  return (await (await request("/v1/status", { signal })).json()) as ServiceStatus;
}
