// Loaded into a site. Measures the main thread's work from the moment a visitor's request is read until its response is
// sent, including work for others. Other processes do not lengthen this part of the wait. On SIGUSR2 it prints the
// values in milliseconds, smallest first.
import { subscribe } from 'node:diagnostics_channel';

const begun = new WeakMap();
let worked = [];

const thread = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

subscribe('http.server.request.start', ({ request, response }) => {
  if (request.headers['x-visitor']) begun.set(response, thread());
});
subscribe('http.server.response.finish', ({ response }) => {
  const before = begun.get(response);
  if (before !== undefined) worked.push(thread() - before);
});
process.on('SIGUSR2', () => {
  console.log(`worked ${worked.toSorted((a, b) => a - b).join(' ')}`);
  worked = [];
});
