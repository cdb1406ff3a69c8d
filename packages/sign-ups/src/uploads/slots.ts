import { statfs } from 'node:fs/promises';
import { createAllowances } from '../guards/rate-limit.ts';
import { NOT_SHARED, type SharedAccounts } from '../guards/shared-accounts.ts';

/** Maximum parallel uploads. Each needs disk space and a little memory. */
const MAX_UPLOADS = 64;
/** The same for one network, so that no network can take all slots. */
const MAX_UPLOADS_PER_NETWORK = 32;

/** An upload that is slower may be aborted if another one needs its slot. In bytes per second. */
const SLOW_BYTES_PER_S = 16_384;
/** No upload is aborted earlier, in milliseconds. */
const GRACE_MS = 2_000;

/** Disk space that stays free for the store and the logs: this share of the volume, but at most this many bytes. */
const RESERVED_SHARE = 0.05;
const RESERVED_BYTES = 1_000_000_000;

/** A form takes disk space three times: in the spool, in the store's write-ahead log and in the store. */
const DISK_COPIES = 3;

const HOUR_MS = 3_600_000;

export interface Slot {
  /** Reports received bytes. */
  addBytes: (bytes: number) => void;
  /** Returns the budget, because the files were not stored. */
  refund: () => void;
  release: () => void;
}

/** Why there is no slot: all are taken, the disk is full, or the network's hourly budget is used up. */
export type SlotRefusal = { why: 'full' | 'disk' } | { why: 'budget'; waitMs: number };

interface Options {
  /** The folder of the spool. */
  directory: string;
  /** Bytes of files that one network may send in an hour. Unused budget does not add up beyond an hour's. */
  bytesPerHour: number;
  /** Limits that all servers share. Default: none. */
  accounts?: SharedAccounts;
  /** Free bytes of a volume, and its size. Default: from the file system. */
  readVolumeSpace?: (directory: string) => Promise<{ free: number; all: number }>;
  /** Monotonic clock, in milliseconds. */
  now?: () => number;
}

async function volumeSpace(directory: string): Promise<{ free: number; all: number }> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, all: blocks * bsize };
}

interface ActiveUpload {
  network: string;
  /** Length of the whole form. */
  bytes: number;
  /** Bytes already received. */
  received: number;
  /** Monotonic clock. */
  startedAt: number;
  abort: () => void;
}

/** Limits parallel uploads, disk usage and hourly bytes per network. A slot is taken before files are written. */
export function createUploadSlots(options: Options) {
  const {
    directory,
    bytesPerHour,
    accounts = NOT_SHARED,
    readVolumeSpace = volumeSpace,
    now = () => performance.now(),
  } = options;
  const active = new Set<ActiveUpload>();
  const budgets = createAllowances(bytesPerHour, now, HOUR_MS);

  const bytesPerSecond = ({ received, startedAt }: ActiveUpload) => received / ((now() - startedAt) / 1000);

  /** Aborts the slowest upload below `SLOW_BYTES_PER_S`. @returns Whether there was one. */
  function abortSlowest(among: ActiveUpload[]): boolean {
    const slow = among.filter((one) => now() - one.startedAt >= GRACE_MS && bytesPerSecond(one) < SLOW_BYTES_PER_S);
    const [slowest] = slow.sort((a, b) => bytesPerSecond(a) - bytesPerSecond(b));
    if (!slowest) return false;
    active.delete(slowest);
    slowest.abort();
    return true;
  }

  /** Aborts a slow upload if no slot is free. @returns Whether a slot is free now. */
  function ensureSlot(network: string): boolean {
    const ofNetwork = [...active].filter((one) => one.network === network);
    if (ofNetwork.length >= MAX_UPLOADS_PER_NETWORK && !abortSlowest(ofNetwork)) return false;
    return active.size < MAX_UPLOADS || abortSlowest([...active]);
  }

  /** @returns `true` also if the free space is unknown: then a write fails if the disk is full. */
  async function hasRoom(bytes: number): Promise<boolean> {
    const volume = await readVolumeSpace(directory).catch(() => null);
    if (volume === null) return true;
    const reservedBytes = [...active].reduce((sum, one) => sum + one.bytes, bytes) * DISK_COPIES;
    return volume.free - reservedBytes >= Math.min(RESERVED_BYTES, volume.all * RESERVED_SHARE);
  }

  return {
    /**
     * @param bytes Length of the whole form; the maximum if it is unknown.
     * @param abort Called if the upload must free its slot.
     */
    async take(network: string, bytes: number, abort: () => void): Promise<Slot | SlotRefusal> {
      if (!(await hasRoom(bytes))) return { why: 'disk' };
      const waitMs = budgets.waitOf(network, bytes);
      if (waitMs > 0) return { why: 'budget', waitMs };
      if (!ensureSlot(network)) return { why: 'full' };
      budgets.charge(network, bytes);
      const upload: ActiveUpload = { network, bytes, received: 0, startedAt: now(), abort };
      active.add(upload);
      const sharedBudget = {
        key: `uploads ${network}`,
        // Accounts count in time: the whole hourly budget costs an hour.
        costMs: (bytes / bytesPerHour) * HOUR_MS,
        windowMs: HOUR_MS,
      };
      // Last, so that this server's slot is reserved during the request.
      const sharedWaitMs = await accounts.take({ accounts: [sharedBudget], once: null });
      if (sharedWaitMs > 0) {
        active.delete(upload);
        budgets.charge(network, -bytes);
        return { why: 'budget', waitMs: sharedWaitMs };
      }
      return {
        addBytes: (more) => {
          upload.received += more;
        },
        refund() {
          budgets.charge(network, -bytes);
          void accounts.refund(sharedBudget);
        },
        release: () => void active.delete(upload),
      };
    },
  };
}

export type UploadSlots = ReturnType<typeof createUploadSlots>;
