import {globSync, readFileSync} from 'node:fs';
import {resolve} from 'node:path';
import {lengthOf, type Part} from './part.ts';
import {runTests} from './run-tests.ts';

const times = lengthOf('SOAK_TIMES', 50, 2);
const root = resolve(import.meta.dirname, '../..');

/** P1: the models and property tests of `test/unit`, each with so many times its cases; and the tests in this folder. */
export const unitModels: Part = {
	name: 'P1',
	title: 'models and property tests, with many more cases than daily',
	async run(progress) {
		const files = globSync('test/{unit,soak}/**/*.test.{ts,tsx}', {cwd: root}).filter(
			file =>
				file.startsWith('test/soak') ||
				/from '(fast-check|.*\/random-cases\.ts)'/.test(readFileSync(resolve(root, file), 'utf8')),
		);
		const {isPassed} = await runTests(files, {SOAK_TIMES: String(times)}, (_, output) =>
			progress(output.match(/✓.*\.test\./g)?.length ?? 0, files.length),
		);
		return [
			{what: 'test files', value: String(files.length)},
			{what: 'times as many cases', value: String(times)},
			{what: 'runs with a failure', value: isPassed ? '0' : '1', goal: '0', isMet: isPassed},
		];
	},
};
