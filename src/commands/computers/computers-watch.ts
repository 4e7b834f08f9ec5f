import {isServiceError, MalformedError, RedirectError} from '../../api/errors.ts';
import {delay} from '../../api/http/timing.ts';
import type {Service} from '../../api/service.ts';
import type {Database} from '../../db/database.ts';
import type {Computer} from '../../domain/computers/computer.ts';
import {type Progress, progress, type StepProgress} from '../../domain/computers/provisioning.ts';
import {maskSecrets, maskText} from '../../domain/masking.ts';
import type {Message} from '../../domain/messages/message.ts';
import {recordDurations} from '../../sync/fleet/computer-watcher.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {safe} from '../../text/cells/safe.ts';
import {terminalText} from '../../text/cells/terminal-lines.ts';
import {withoutColors} from '../../text/markdown/ansi-colors.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {dateTime, duration, wholeDuration} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes, isTemporary, retryUntilFound} from '../cli/errors.ts';
import {withTimeout} from '../cli/interrupts.ts';
import {connect, createSafeWrite, namedComputer} from '../cli/registry.ts';
import {cliStrings} from '../cli/strings.ts';
import {openThread} from '../messages/open-thread.ts';
import {computerJson, messageJson} from '../output/json-output.ts';
import {createProgress} from '../output/output.ts';
import {strings} from './strings.ts';

const {watch: text} = strings;
const pollInterval = 1000;
/** UTF-16 units of an error that are printed. */
const maxReason = 1500;

/** Follows a computer's provisioning steps and its install output. */
export const watchComputer = (context: CommandContext): Promise<ExitCode> =>
	withTimeout(context, watch, seconds => text.timedOut(context.args[0], seconds));

async function watch(context: CommandContext): Promise<ExitCode> {
	const {
		args: [word = ''],
		output,
		clock,
		signal,
	} = context;
	const {service, database, registry} = await connect(context);
	const id = namedComputer(registry, word);
	const safeWrite = createSafeWrite(output.note);
	const line = createProgress(context.system.stderr, clock);
	const install = createInstallOutput(context, service, database);
	const printedStates = new Map<string, string>();
	let lastJson = '';
	let isFirst = true;
	try {
		for (;;) {
			const response = await retryUntilFound(registry.computer(id), context, () =>
				service.computers.get(id, {signal}),
			).catch(error => reportTemporary(error, isFirst, output.note));
			if (response) {
				isFirst = false;
				const before = registry.computer(response.id)?.computer;
				registry.recordComputer(response, 'added');
				const known = registry.computer(response.id);
				const computer = known?.computer ?? response;
				recordDurations({database, safeWrite}, before, computer);
				const state = progress(computer, name => database.durations.median(name), clock.now());
				line.end();
				if (!output.isJson)
					for (const [index, step] of state.steps.entries())
						showStep(context, printedStates, step, index, state);
				await install.read(computer, state.steps);
				const json = JSON.stringify(computer);
				if (output.isJson && known && json !== lastJson)
					output.json(computerJson(known, {}, {steps: progressJson(state)}));
				lastJson = json;
				const code = verdict(context, computer, state);
				if (code !== undefined) return code;
				line.show(progressText(state));
			}
			await delay(clock, pollInterval, signal);
		}
	} finally {
		line.end();
	}
}

/**
 * Reports a failure that may pass, so that the read is repeated. What something else at the address answers is a failure
 * if it answers first.
 */
function reportTemporary(error: unknown, isFirst: boolean, note: (text: string) => void): undefined {
	const isWrongAddress = error instanceof MalformedError || error instanceof RedirectError;
	if (!isTemporary(error) || (isFirst && isWrongAddress)) throw error;
	note(cliStrings.run.retrying(error.what));
	return undefined;
}

/**
 * The exit code once provisioning is over, otherwise undefined. An unknown step state or computer status never
 * counts as the end: only the service knows its meaning.
 */
function verdict({output}: CommandContext, computer: Computer, {steps}: Progress): ExitCode | undefined {
	if (steps.some(step => step.state === 'running')) return undefined;
	const failed = steps.find(
		step => step.state === 'failed' && (step.raw === undefined || computer.status === 'error'),
	);
	if (failed) {
		const {step} = failed;
		const reason = step.error === undefined ? text.noReason : endOf(step.error);
		output.note(text.stepFailed(maskText(step.name ?? step.id ?? text.unnamedStep), reason));
		if (computer.host) output.note(text.triesAgain(computer.id));
		return exitCodes.refused;
	}
	if (computer.status === 'error') {
		output.note(text.failed(computer.id));
		return exitCodes.refused;
	}
	const isOver = steps.every(({state, raw}) => raw === undefined && state !== 'pending');
	if (computer.status === 'active') return isOver ? exitCodes.done : undefined;
	// Without a computer status, the steps must show that it is up.
	const isUp = isOver && steps.length > 0 && steps.every(({state}) => state !== 'canceled');
	return computer.status === undefined && isUp ? exitCodes.done : undefined;
}

/** Prints a line whenever a step's state changes. A step without an id is identified by its index. */
function showStep(
	{output, clock}: CommandContext,
	printedStates: Map<string, string>,
	{step, state, raw, elapsed}: StepProgress,
	index: number,
	{eta}: Progress,
): void {
	const key = step.id ?? `#${index}`;
	const word = raw ?? state;
	if (printedStates.get(key) === word) return;
	printedStates.set(key, word);
	const left =
		state === 'running' && eta !== undefined ? cleanLine(text.timeLeft(wholeDuration(eta))) : undefined;
	const took = state === 'running' || elapsed === undefined ? left : duration(elapsed);
	const name = cleanLine(maskText(step.name ?? step.id ?? '-'));
	const since = state === 'running' ? step.startedAt : step.completedAt;
	const columns = [
		dateTime(since ?? clock.now()),
		cleanLine(word.padEnd(8), 64),
		name,
		...(took ? [took] : []),
	];
	output.line(columns.reduce((line, column) => safe`${line}  ${column}`));
}

function progressText({done, total, eta, current}: Progress): string {
	const name = current?.step.name;
	return [
		text.progress(done, total),
		...(name ? [maskText(name)] : []),
		...(eta === undefined ? [] : [text.timeLeft(wholeDuration(eta))]),
	].join(', ');
}

function progressJson({done, total, eta}: Progress): object {
	return {done, total, etaMs: eta === undefined ? undefined : Math.round(eta)};
}

/** Prints new install output. Skips installs that were over before the command started. */
function createInstallOutput({output, clock, signal}: CommandContext, service: Service, database: Database) {
	type Install = {readonly read: (isLast: boolean) => Promise<void>; isOver: boolean};
	const installs = new Map<string, Install>();

	function open(sessionId: string): Install {
		const {update} = openThread({
			sessionId,
			service,
			database,
			clock,
			safeWrite: createSafeWrite(output.note),
		});
		/** The text of each message and how many characters of it are printed. */
		const texts = new Map<string, {text: string; printed: number}>();
		const read = async (isLast: boolean) => {
			for (const {id, message, role} of (await update(signal)).items) {
				if (output.isJson) output.json(maskSecrets(messageJson(message, role, sessionId)));
				const body = textOf(message);
				const before = texts.get(id);
				const isGrown = before !== undefined && body.startsWith(before.text.slice(0, before.printed));
				texts.set(id, {text: body, printed: isGrown ? before.printed : 0});
			}
			if (output.isJson) return;
			for (const one of texts.values()) {
				// Hold back an incomplete line until it ends.
				const end = isLast ? one.text.length : one.text.lastIndexOf('\n') + 1;
				const newText = maskText(one.text.slice(one.printed, end));
				one.printed = Math.max(one.printed, end);
				for (const line of newText.split('\n')) if (line.trim() !== '') output.line(indented(line));
			}
		};
		return {read, isOver: false};
	}

	return {
		async read(computer: Computer, steps: readonly StepProgress[]): Promise<void> {
			for (const {step, state} of steps) {
				const sessionId = step.installSessionId;
				if (sessionId === undefined) continue;
				const isNew = installs.has(sessionId) || state === 'running' || state === 'failed';
				if (!isNew) continue;
				const install = installs.get(sessionId) ?? open(sessionId);
				installs.set(sessionId, install);
				if (install.isOver) continue;
				install.isOver = state !== 'running' && state !== 'pending';
				try {
					await install.read(install.isOver);
				} catch (error) {
					// The steps decide the result; the install output is optional.
					if (!isServiceError(error) || signal.aborted) throw error;
					if (install.isOver) output.note(text.unreadableInstall(computer.id, error.what));
				}
			}
		},
	};
}

function textOf(message: Message): string {
	return messageParts(message, Number.POSITIVE_INFINITY)
		.flatMap(part => (part.kind === 'text' || part.kind === 'tool-result' ? [part.text] : []))
		.join('\n');
}

const indented = (line: string) =>
	safe`    ${withoutColors(cleanText(terminalText(line), {isDrawn: false}))}`;

/** A failed step's error as a terminal leaves it, without colors and secrets: its end, which says why it failed. */
function endOf(error: string): string {
	const text = maskText(terminalText(error)).trim();
	const end = text.length > maxReason ? `…${text.slice(-maxReason)}` : text;
	return withoutColors(cleanText(end, {isDrawn: false}));
}
