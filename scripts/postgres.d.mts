export interface RunningPostgres {
  /** `postgresql://…`, with the password. */
  url: string;
  port: number;
  /** To look for it where it must not be. */
  password: string;
  folder: string;
  /** Once more, after `kill` or `shutDown`. */
  start(): Promise<void>;
  /** Ends every process of it with SIGKILL. */
  kill(): Promise<void>;
  shutDown(): Promise<void>;
  /** Ends it and takes its data away. */
  stop(): Promise<void>;
}

export interface PostgresStart {
  /** 0 (default): any free one. */
  port?: number;
  settings?: Record<string, string>;
}

export function ensurePostgres(): Promise<string>;
export function startPostgres(options?: PostgresStart): Promise<RunningPostgres>;
