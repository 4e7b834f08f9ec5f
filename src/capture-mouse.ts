import type {Terminal} from './term/terminal.ts';
import type {MouseInput} from './ui/mouse/mouse-input.ts';

/** Mouse reporting of the terminal. While it is off, the terminal selects text itself. Initially off. */
export function captureMouse(terminal: Terminal): MouseInput {
	let isOn = false;
	return {
		isOn: () => isOn,
		turn(on) {
			isOn = on;
			terminal.setReports({focus: true, mouse: on});
		},
		listen: listener => terminal.onMouse(listener),
	};
}
