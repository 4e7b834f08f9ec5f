import {isServiceError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import type {Computer} from '../domain/computer.ts';
import {type Progress, progress, type StepProgress} from '../domain/provisioning.ts';
import {cleanLine} from '../text/clean.ts';
import {safe} from '../text/safe.ts';
import {dateTime, duration} from '../text/times.ts';
import type {CommandContext} from './context.ts';
import {delay} from './delay.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';
import {computerJson} from './forms.ts';
import {openRegistry} from './registry.ts';
import {untilFound} from './until-found.ts';

const cadence = 1000;

/**
 * Follows the provisioning steps of a computer. Ends with 0 when it is up, with 1 and the step's error when a step
 * failed. A service that can't be reached for a while is asked again.
 */
export async function watchComputer(context: CommandContext): Promise<ExitCode> {
	const {
		args: [id = ''],
		wiring,
		output,
		clock,
		signal,
	} = context;
	const parts = await wiring();
	const service = await parts.connect();
	const database = await parts.database();
	const registry = openRegistry(database, clock, output.note);
	const shown = new Map<string, string>();
	let before = '';
	let isFirst = true;
	for (;;) {
		const answer = await untilFound(registry.computer(id), context, () =>
			service.computers.get(id, {signal}),
		).catch(error => tolerate(error, isFirst, output.note));
		if (answer) {
			isFirst = false;
			registry.seeComputer(answer, 'added');
			const known = registry.computer(answer.id);
			const computer = known?.computer ?? answer;
			const state = progress(computer, name => database.durations.median(name), clock.now());
			const now = JSON.stringify(computer);
			if (output.isJson && known && now !== before) output.json(computerJson(known));
			if (!output.isJson) for (const step of state.steps) showStep(context, shown, step);
			before = now;
			const code = verdict(context, computer, state);
			if (code !== undefined) return code;
		}
		await delay(clock, cadence, signal);
	}
}

/** The first read must succeed; later, what passes by itself is told and waited out. */
function tolerate(error: unknown, isFirst: boolean, note: (text: string) => void): undefined {
	const isPassing = isServiceError(error) && ['not-sent', 'wait', 'unknown'].includes(outcomeOf(error));
	if (isFirst || !isPassing) throw error;
	note(`${error.what} Trying again.`);
	return undefined;
}

function verdict({output}: CommandContext, computer: Computer, state: Progress): ExitCode | undefined {
	const isRunning = state.steps.some(step => step.state === 'running');
	if (state.failed && !isRunning) {
		const {step} = state.failed;
		output.note(`${step.name ?? step.id ?? 'a step'} failed: ${step.error ?? 'no reason was given'}`);
		return exitCodes.refused;
	}
	if (!state.isSettled) return undefined;
	if (computer.status !== 'error') return exitCodes.done;
	output.note(`the computer ${computer.id} is in error and no step says why`);
	return exitCodes.refused;
}

/** One line whenever the state of a step is news. */
function showStep(
	{output, clock}: CommandContext,
	shown: Map<string, string>,
	{step, state, raw, elapsed}: StepProgress,
): void {
	const key = step.id ?? step.name ?? '';
	const word = raw ?? state;
	if (shown.get(key) === word) return;
	shown.set(key, word);
	const time = state === 'running' || elapsed === undefined ? safe`` : duration(elapsed);
	const name = cleanLine(step.name ?? step.id ?? '-');
	output.line(
		safe`${dateTime(clock.now())}  ${cleanLine(word.padEnd(8), 64)}  ${name}  ${time}`.trimEnd() as typeof name,
	);
}
