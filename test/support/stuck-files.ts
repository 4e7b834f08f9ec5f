import {spawnSync} from 'node:child_process';
import type {Reporter} from 'vitest/node';

/** Time after which a test file counts as stuck, ms. The slowest one takes a minute. */
const limit = 8 * 60_000;

/**
 * Ends the run when a test file is stuck, and prints the file and all processes. A worker that blocks in a
 * system call can't time out by itself: the run would never end, and say nothing.
 */
export function stuckFiles(): Reporter {
	const timers = new Map<string, NodeJS.Timeout>();
	return {
		onTestModuleQueued({moduleId}) {
			const isStuck = () => {
				const processes = spawnSync('ps', ['-ef'], {encoding: 'utf8', timeout: 10_000}).stdout;
				process.stderr.write(`${moduleId} has run for ${limit / 60_000} minutes:\n${processes}`);
				process.exit(1);
			};
			timers.set(moduleId, setTimeout(isStuck, limit));
		},
		onTestModuleEnd({moduleId}) {
			clearTimeout(timers.get(moduleId));
		},
		onTestRunEnd() {
			for (const timer of timers.values()) clearTimeout(timer);
		},
	};
}
