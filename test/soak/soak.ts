import {styleText} from 'node:util';
import {accountStories} from './account-stories.ts';
import {agentKills} from './agent-kills.ts';
import {hookFlood} from './hook-flood.ts';
import {hookKills} from './hook-kills.ts';
import {hookMatrix} from './hook-matrix.ts';
import {machineHooks} from './machine-hooks.ts';
import {outboxSteps} from './outbox-steps.ts';
import type {Finding, Part, Progress} from './part.ts';
import {terminalGone} from './terminal-gone.ts';
import {terminalRestored} from './terminal-restored.ts';
import {typingKills} from './typing-kills.ts';
import {unitModels} from './unit-models.ts';

/**
 * `npm run soak [-- --quick] [R1 R3 S1 S2 S3 M1 H2 D1 A1 K1 P1]`: the long sets, to their full length, or all in ten
 * minutes. Progress goes to standard error, what was found to standard output; ends with 1 when anything failed. A part
 * that was run needn't be run again.
 */
const parts: readonly Part[] = [
	terminalRestored,
	terminalGone,
	hookMatrix,
	hookKills,
	hookFlood,
	machineHooks,
	outboxSteps,
	typingKills,
	accountStories,
	agentKills,
	unitModels,
];

const asked = process.argv
	.slice(2)
	.filter(argument => argument !== '--quick')
	.map(name => name.toUpperCase());
const unknown = asked.filter(name => !parts.some(part => part.name === name));
if (unknown.length > 0) {
	process.stderr.write(
		`there is no ${unknown.join(', ')}: choose of ${parts.map(({name}) => name).join(', ')}\n`,
	);
	process.exit(2);
}

let isGood = true;
for (const part of parts) {
	if (asked.length > 0 && !asked.includes(part.name)) continue;
	process.stderr.write(`${part.name}  ${part.title}\n`);
	const start = performance.now();
	const findings = await part.run(progressOf(part.name, start));
	const seconds = (performance.now() - start) / 1000;
	process.stderr.write('\n');
	process.stdout.write(`${part.name}  ${part.title} (${lasting(seconds)})\n`);
	for (const finding of findings) process.stdout.write(`${formatFinding(finding)}\n`);
	process.stdout.write('\n');
	if (findings.some(({isMet}) => isMet === false)) isGood = false;
}
process.exit(isGood ? 0 : 1);

/** A line that is written over on a terminal; elsewhere one now and then. */
function progressOf(name: string, start: number): Progress {
	const every = process.stderr.isTTY ? 500 : 30_000;
	let last = 0;
	return (done, total, note = '') => {
		const now = performance.now();
		if (now - last < every) return;
		last = now;
		const seconds = (now - start) / 1000;
		const left = done > 0 ? (seconds / done) * (total - done) : Number.NaN;
		const line = `${name}  ${done.toLocaleString('en')} of ${total.toLocaleString('en')}  ${lasting(seconds)}, ${lasting(left)} to go  ${note}`;
		process.stderr.write(process.stderr.isTTY ? `\r\u001B[K${line}` : `${line}\n`);
	};
}

function lasting(seconds: number): string {
	if (!Number.isFinite(seconds)) return '?';
	return seconds < 100 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(1)} min`;
}

function formatFinding({what, value, goal, isMet}: Finding): string {
	const mark = isMet === undefined ? ' ' : isMet ? styleText('green', '✓') : styleText('red', '✗');
	return `${mark} ${what.padEnd(60)} ${value.padStart(16)}${goal === undefined ? '' : `  goal ${goal}`}`;
}
