// Prints a bill of materials of everything that runs (CycloneDX). npm's `--omit=dev` also omits packages that tools
// need too, such as React, so this filters the full list by what `npm ls` reports as production.
import { execFileSync } from 'node:child_process';
import { ROOT } from './lib/project.mjs';

/** @param {string[]} args */
const runNpm = (args) => execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });

/** @returns {{ components: { 'bom-ref': string, name: string }[], dependencies: { ref: string }[] }} */
export function billOfMaterials() {
  const lines = runNpm(['ls', '--omit=dev', '--all', '--parseable', '--long']).split('\n');
  const productionPackages = new Set(lines.map((line) => line.split(':')[1]));
  const bill = JSON.parse(runNpm(['sbom', '--sbom-format=cyclonedx']));
  /** @param {string} ref `pillion|name@version` or `name@version`. */
  const isProduction = (ref) => productionPackages.has(ref.split('|').at(-1));
  bill.components = bill.components.filter((/** @type {{ 'bom-ref': string }} */ component) =>
    isProduction(component['bom-ref']),
  );
  bill.dependencies = bill.dependencies.filter((/** @type {{ ref: string }} */ { ref }) => isProduction(ref));
  return bill;
}
