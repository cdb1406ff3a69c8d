import { spawn } from 'node:child_process';

/** A program of the system that is not there: what it is and which package of Debian and Ubuntu brings it. */
export class MissingTool extends Error {
  constructor(program, aptPackage) {
    super(`needs ${program}, which is not installed: apt-get install ${aptPackage}. Its files stay as they are.`);
  }
}

/**
 * Runs a program of the system to its end.
 * @param options `aptPackage` where the package is not called like the program; `onOutput` for each piece of output.
 * @returns What it printed, on both of its outputs.
 * @throws MissingTool where there is no such program; an Error with its last words where it fails.
 */
export function tool(program, args, { aptPackage = program, onOutput = () => {}, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const keep = (data) => {
      output += data;
      onOutput(String(data));
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => reject(error.code === 'ENOENT' ? new MissingTool(program, aptPackage) : error));
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}:\n${output.slice(-1500)}`)),
    );
  });
}
