export interface RunningWordPress {
  /** `http://127.0.0.1:<port>` */
  url: string;
  port: number;
  /** The site's folder: `server.log`, `debug.log` and the database lie in it. */
  directory: string;
  /** Consumer key and secret of the seed. */
  key: string;
  secret: string;
  /** `password` for wp-admin, `applicationPassword` to write over REST. */
  admin: { user: string; password: string; applicationPassword: string };
  /** What a PHP of one's own needs in its environment to load this site. */
  environment: Record<string, string>;
  stop(): Promise<void>;
  ended: Promise<number | null>;
}

export interface StartOptions {
  /** 0 (default): any free one. */
  port?: number;
  /** Default: the site of `npm run wordpress`. */
  directory?: string;
  fresh?: boolean;
  /** Who is told of changes, at once. Default: nobody. */
  site?: { url: string; secret: string };
  show?: (name: string, work: () => Promise<string>) => Promise<unknown>;
}

export function startWordPress(options?: StartOptions): Promise<RunningWordPress>;
export function main(args: string[]): Promise<number>;
