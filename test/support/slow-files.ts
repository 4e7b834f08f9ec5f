import {relative} from 'node:path';
import type {Reporter} from 'vitest/node';

/** A run of few files is of somebody who knows what they wait for. */
const fewFiles = 20;
const shown = 5;

/** Prints the slowest test files at the end of a run, so that growth is seen. */
export function slowFiles(): Reporter {
	return {
		onTestRunEnd(modules) {
			if (modules.length <= fewFiles) return;
			const files = modules.map(module => {
				const {collectDuration, duration} = module.diagnostic();
				return {path: relative(process.cwd(), module.moduleId), ms: collectDuration + duration};
			});
			files.sort((a, b) => b.ms - a.ms);
			process.stdout.write('\nSlowest files:\n');
			for (const {path, ms} of files.slice(0, shown))
				process.stdout.write(`${(ms / 1000).toFixed(1).padStart(7)} s  ${path}\n`);
		},
	};
}
