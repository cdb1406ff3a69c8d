// Loaded into a site: how much its main thread works, whoever it is for, from a visitor's request being read to her answer
// being handed to the system. It is the part of her wait that no other work of the machine's lengthens. Printed, the least
// first and in milliseconds, whenever the site gets SIGUSR2.
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
