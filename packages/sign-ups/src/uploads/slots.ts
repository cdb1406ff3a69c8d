import { statfs } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { NOT_SHARED, type SharedAccounts } from '../guards/shared-accounts.ts';

/** Maximum parallel uploads. Each needs disk space and a little memory. */
const MOST = 64;
/** The same for one network, so that no network can take all slots. */
const MOST_PER_NETWORK = 32;

/** An upload that is slower may be dropped if another one needs its slot. In bytes per second. */
const SLOW = 16_384;
/** No upload is dropped earlier, in milliseconds. */
const JUDGED_AFTER_MS = 2_000;

/** Disk space that stays free for the store and the logs: this share of the volume, but at most this many bytes. */
const FLOOR_SHARE = 0.05;
const FLOOR_BYTES = 1_000_000_000;

/** A form takes disk space three times: in the spool, in the store's write-ahead log and in the store. */
const COPIES = 3;

/** Maximum number of networks with a remembered budget. */
const NETWORKS = 10_000;

const HOUR_MS = 3_600_000;

export interface Slot {
  /** Reports received bytes. */
  moved: (bytes: number) => void;
  /** Returns the budget, because the files were not stored. */
  refund: () => void;
  release: () => void;
}

/** Why there is no slot: all are taken, the disk is full, or the network's hourly budget is used up. */
export type NoSlot = { why: 'full' | 'disk' } | { why: 'budget'; waitMs: number };

interface Options {
  /** The folder of the spool. */
  directory: string;
  /** Bytes of files that one network may send in an hour. Unused budget does not add up beyond an hour's. */
  bytesPerHour: number;
  /** Limits that all servers share. Default: none. */
  accounts?: SharedAccounts;
  /** Free bytes of a volume, and its size. */
  room?: (directory: string) => Promise<{ free: number; all: number }>;
  /** Monotonic clock, in milliseconds. */
  now?: () => number;
}

async function roomIn(directory: string): Promise<{ free: number; all: number }> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return { free: bavail * bsize, all: blocks * bsize };
}

interface Taken {
  network: string;
  bytes: number;
  came: number;
  since: number;
  drop: () => void;
}

/** Limits parallel uploads, disk usage and hourly bytes per network. A slot is taken before files are written. */
export function createUploadSlots(options: Options) {
  const { directory, bytesPerHour, accounts = NOT_SHARED, room = roomIn, now = () => performance.now() } = options;
  const taken = new Set<Taken>();
  /** When each network has its full budget again. */
  const clearAt = new LRUCache<string, number>({ max: NETWORKS });
  const costOf = (bytes: number) => (bytes / bytesPerHour) * HOUR_MS;

  const rateOf = ({ came, since }: Taken) => came / ((now() - since) / 1000);

  /** Drops the slowest upload below `SLOW`. @returns Whether there was one. */
  function dropSlowest(among: Taken[]): boolean {
    const slow = among.filter((one) => now() - one.since >= JUDGED_AFTER_MS && rateOf(one) < SLOW);
    const [slowest] = slow.sort((a, b) => rateOf(a) - rateOf(b));
    if (!slowest) return false;
    taken.delete(slowest);
    slowest.drop();
    return true;
  }

  function hasSlot(network: string): boolean {
    const own = [...taken].filter((one) => one.network === network);
    if (own.length >= MOST_PER_NETWORK && !dropSlowest(own)) return false;
    return taken.size < MOST || dropSlowest([...taken]);
  }

  /** Returns `true` if the free space is unknown: the write fails if the disk is full. */
  async function hasRoom(bytes: number): Promise<boolean> {
    const volume = await room(directory).catch(() => null);
    if (volume === null) return true;
    const coming = [...taken].reduce((sum, one) => sum + one.bytes, bytes) * COPIES;
    return volume.free - coming >= Math.min(FLOOR_BYTES, volume.all * FLOOR_SHARE);
  }

  return {
    /**
     * @param bytes Length of the whole form, if known.
     * @param drop Called if the upload must free its slot.
     */
    async take(network: string, bytes: number, drop: () => void): Promise<Slot | NoSlot> {
      if (!(await hasRoom(bytes))) return { why: 'disk' };
      const budget = { key: `uploads ${network}`, costMs: costOf(bytes), windowMs: HOUR_MS };
      const clear = Math.max(clearAt.get(network) ?? 0, now());
      const waitMs = clear + costOf(bytes) - now() - HOUR_MS;
      if (waitMs > 0) return { why: 'budget', waitMs };
      if (!hasSlot(network)) return { why: 'full' };
      clearAt.set(network, clear + costOf(bytes));
      const own: Taken = { network, bytes, came: 0, since: now(), drop };
      taken.add(own);
      const refundHere = () => void clearAt.set(network, (clearAt.get(network) ?? 0) - costOf(bytes));
      // Last, so that this server's slot is reserved during the request.
      const waitForAllMs = await accounts.take({ accounts: [budget], once: null });
      if (waitForAllMs > 0) {
        taken.delete(own);
        refundHere();
        return { why: 'budget', waitMs: waitForAllMs };
      }
      return {
        moved: (more) => {
          own.came += more;
        },
        refund() {
          refundHere();
          void accounts.refund(budget);
        },
        release: () => void taken.delete(own),
      };
    },
  };
}

export type UploadSlots = ReturnType<typeof createUploadSlots>;
