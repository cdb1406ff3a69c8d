/** The first descriptor that a service manager passes (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * Finds the listening socket that systemd passed to this process (socket activation). It stays open during a restart,
 * so no connection is refused.
 * @param pid Of this process. A socket may be for its parent instead.
 * @returns The socket's descriptor; `null` if this process has to open one.
 */
export const inheritedSocket = ({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): number | null =>
  LISTEN_PID === String(pid) && Number(LISTEN_FDS) > 0 ? FIRST : null;
