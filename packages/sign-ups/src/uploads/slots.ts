import { statfs } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { NOT_SHARED, type SharedAccounts } from '../guards/shared-accounts.ts';

/** Forms with files that are being received at once. Each has some of the disk, and little memory. */
const MOST = 64;
/** Of one network, so that none can take them all. */
const MOST_PER_NETWORK = 32;

/** Whoever is slower than this makes room when another one waits; all others are let finish. In bytes a second. */
const SLOW = 16_384;
/** Nobody is judged so soon, in milliseconds. */
const JUDGED_AFTER_MS = 2_000;

/** What is never filled: this share of the volume, and no more than so many bytes. The store and the logs need it. */
const FLOOR_SHARE = 0.05;
const FLOOR_BYTES = 1_000_000_000;

/** A form is on the disk as it is received, in the store's log and in the store. */
const COPIES = 3;

/** Networks whose budgets are remembered. */
const NETWORKS = 10_000;

const HOUR_MS = 3_600_000;

export interface Slot {
  /** Bytes came. */
  moved: (bytes: number) => void;
  /** Its files were not kept after all: they count for nothing. */
  refund: () => void;
  /** Gives the slot back. */
  release: () => void;
}

/** Why there is no slot: for want of room or disk, or as the network has sent its share of this hour. */
export type NoSlot = { why: 'full' | 'disk' } | { why: 'budget'; waitMs: number };

interface Options {
  /** Where files lie while they are being sent. */
  directory: string;
  /** Bytes of files that one network may send in an hour; what was saved up is no more than an hour's. */
  bytesPerHour: number;
  /** Counts what a network sends to all servers. Default: there are no others. */
  accounts?: SharedAccounts;
  /** Free bytes of a volume, and all of them. */
  room?: (directory: string) => Promise<{ free: number; all: number }>;
  /** Milliseconds that never jump. */
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

/** Who may send files now. A slot is taken once a form was let in, and its files are about to be written. */
export function createUploadSlots(options: Options) {
  const { directory, bytesPerHour, accounts = NOT_SHARED, room = roomIn, now = () => performance.now() } = options;
  const taken = new Set<Taken>();
  /** When each network will have used up nothing any more. */
  const clearAt = new LRUCache<string, number>({ max: NETWORKS });
  const costOf = (bytes: number) => (bytes / bytesPerHour) * HOUR_MS;

  const rateOf = ({ came, since }: Taken) => came / ((now() - since) / 1000);

  /** Drops the slowest of those that are too slow. @returns Whether there was one. */
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

  /** A volume that cannot be asked is written to until it says no. */
  async function hasRoom(bytes: number): Promise<boolean> {
    const volume = await room(directory).catch(() => null);
    if (volume === null) return true;
    const coming = [...taken].reduce((sum, one) => sum + one.bytes, bytes) * COPIES;
    return volume.free - coming >= Math.min(FLOOR_BYTES, volume.all * FLOOR_SHARE);
  }

  return {
    /**
     * @param bytes Length of the whole form, as far as it is known.
     * @param drop Called when it has to make room for another.
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
      // Asked last, so that this server's own slot is held meanwhile.
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
