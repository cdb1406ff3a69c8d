/** The first descriptor that a service manager hands over (sd_listen_fds(3)). */
const FIRST = 3;

/**
 * A socket that already listens and was handed to this process (systemd's socket activation): it stays open while this
 * process is started anew, so that nobody is refused meanwhile.
 * @param pid This process': what was handed to its parent is none of its business.
 * @returns The socket's descriptor; `null` where this process has to listen by itself.
 */
export const inheritedSocket = ({ LISTEN_PID, LISTEN_FDS }: NodeJS.ProcessEnv, pid: number): number | null =>
  LISTEN_PID === String(pid) && Number(LISTEN_FDS) > 0 ? FIRST : null;
