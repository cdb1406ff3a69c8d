import { spawn } from 'node:child_process';

/** A program is not installed. The message names it and its package in Debian and Ubuntu. */
export class MissingTool extends Error {
  constructor(program, aptPackage) {
    super(`needs ${program}, which is not installed: apt-get install ${aptPackage}. Its files stay as they are.`);
  }
}

/**
 * Runs a program of the system.
 * @param options `aptPackage` if the package has another name than the program; `onOutput` for each piece of output.
 * @returns Its output: stdout and stderr together.
 * @throws MissingTool if it is not installed; an Error with the end of its output if it fails.
 */
export function runTool(program, args, { aptPackage = program, onOutput = () => {}, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    const collectOutput = (data) => {
      output += data;
      onOutput(String(data));
    };
    child.stdout.on('data', collectOutput);
    child.stderr.on('data', collectOutput);
    child.once('error', (error) => reject(error.code === 'ENOENT' ? new MissingTool(program, aptPackage) : error));
    child.once('close', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${program} ended with ${code}:\n${output.slice(-1500)}`)),
    );
  });
}
